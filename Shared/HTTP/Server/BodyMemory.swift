import Synchronization

/// What all loops of a server together have left for buffered bodies: `bufferedBodyBytesMax` less what is held.
final class BodyMemory: Sendable {
    private let left: Atomic<Int>

    init(bytes: Int) { left = Atomic(bytes) }

    /// Whether there is room for so many more bytes; they are to be given back by `release`.
    func reserve(_ bytes: Int) -> Bool {
        var seen = left.load(ordering: .relaxed)
        while bytes <= seen {
            let (isDone, current) = left.compareExchange(
                expected: seen, desired: seen - bytes, ordering: .relaxed)
            if isDone { return true }
            seen = current
        }
        return false
    }

    func release(_ bytes: Int) { left.add(bytes, ordering: .relaxed) }
}
