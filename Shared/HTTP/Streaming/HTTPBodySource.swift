import Reactor

/// A body that arrives while its handler runs. Reading it slowly slows the sender down.
///
/// Sendable without the compiler's proof: it is used on the loop of its connection only, which `next` checks through
/// the stream, by one task at a time.
public final class HTTPBodySource: @unchecked Sendable {
    private static let chunkBytesMax = 64 * 1024

    private var receiver: BodyReceiver
    private var decoder: BodyDecoder
    private var mustContinue: Bool
    private var failure: Problem?
    /// What was received and not read yet; given back to the connection at the end.
    private(set) var input: ByteBuffer
    private var isOver = false

    init(_ receiver: BodyReceiver, decoder: BodyDecoder, input: ByteBuffer, mustContinue: Bool) {
        self.receiver = receiver
        self.decoder = decoder
        self.input = input
        self.mustContinue = mustContinue
    }

    var byteCount: Int { decoder.byteCount }
    var isComplete: Bool { decoder.isDone && failure == nil }

    /// The handler has returned: nothing more can be read.
    func end() { isOver = true }

    /// The next piece; `nil` at the end.
    func next() async throws(Problem) -> [UInt8]? {
        receiver.stream.loop.preconditionCurrent()
        if let failure { throw failure }
        guard !isOver else { throw .internalError }
        do throws(Problem) {
            return try await read()
        } catch {
            failure = error
            throw error
        }
    }

    private func read() async throws(Problem) -> [UInt8]? {
        while true {
            var chunk: [UInt8] = []
            do throws(HTTPParseError) {
                try decoder.decode(&input, into: &chunk, outputBytesMax: Self.chunkBytesMax)
            } catch { throw Problem(error) }
            if !chunk.isEmpty { return chunk }
            if decoder.isDone { return nil }
            if mustContinue {
                mustContinue = false
                try await receiver.sendContinue()
            }
            var (received, receiver) = (input, receiver)
            input = ByteBuffer()
            defer { (input, self.receiver) = (received, receiver) }
            try await receiver.read(into: &received, byteCount: decoder.byteCount)
        }
    }
}
