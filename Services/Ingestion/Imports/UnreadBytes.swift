/// What a streaming reader has been given and cannot read yet: the beginning of something whose rest is to come. For one task
/// at a time.
final class UnreadBytes {
    private var pending: [UInt8] = []
    /// Bytes that were read.
    private(set) var offset = 0

    /// Bytes that were given.
    var end: Int { offset + pending.count }
    var isEmpty: Bool { pending.isEmpty }

    /// Calls `readNext` with all that is unread and its place until that is nothing, or until it returns `nil`: when more has
    /// to come first. It returns how many bytes it has read.
    func read(_ chunk: UnsafeRawBufferPointer, _ readNext: (UnsafeBufferPointer<UInt8>, Int) -> Int?) {
        if pending.isEmpty {
            let done = read(chunk.bindMemory(to: UInt8.self), readNext)
            pending = Array(chunk[done...])
            offset += done
        } else {
            pending.append(contentsOf: chunk)
            let all = pending
            let done = all.withUnsafeBufferPointer { read($0, readNext) }
            pending.removeFirst(done)
            offset += done
        }
    }

    private func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ readNext: (UnsafeBufferPointer<UInt8>, Int) -> Int?
    ) -> Int {
        var position = 0
        while position < bytes.count {
            let rest = UnsafeBufferPointer(rebasing: bytes[position...])
            guard let count = readNext(rest, offset + position) else { break }
            position += count
        }
        return position
    }

    func removeAll() { pending = [] }
}
