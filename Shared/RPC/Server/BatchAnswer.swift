/// The answers of one batch, which leave together when the last of its calls has ended. Confined to its connection.
final class BatchAnswer {
    private var open: Int
    private(set) var parts: [UInt8] = []
    private let bytesMax: Int

    /// For `count` requests, whose answers may have `bytesMax` bytes together.
    init(count: Int, bytesMax: Int) {
        open = count
        self.bytesMax = bytesMax
    }

    func add(id: RequestID, _ answer: Result<[UInt8], RPCError>) {
        parts.append(parts.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
        ResponseEnvelope.write(id: id, answer, bytesMax: max(bytesMax - parts.count, 0), to: &parts)
    }

    /// One of its requests is done, answered or not; true when it was the last.
    func completeOne() -> Bool {
        open -= 1
        return open == 0
    }
}
