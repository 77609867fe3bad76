import Synchronization

/// The series of hot paths, found by a key that costs no allocation. What does not fit is looked up in its family each
/// time.
public final class SeriesCache<Key: Hashable & Sendable, Series: Sendable>: Sendable {
    private static var entriesMax: Int { 4096 }
    private let entries = Mutex<[Key: Series]>([:])

    public init() {}

    public func series(_ key: Key, find: () -> Series) -> Series {
        if let known = entries.withLock({ $0[key] }) { return known }
        let found = find()
        entries.withLock { if $0.count < Self.entriesMax { $0[key] = found } }
        return found
    }
}
