/// A map with a limit that keeps what was used last, roughly: it has two generations, and what is asked for moves to the
/// younger one. When that is full, the older one is dropped.
public struct GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let generationMax: Int

    /// Holds up to `entriesMax` entries, and at least the last half of that number.
    public init(entriesMax: Int) {
        generationMax = max(1, entriesMax / 2)
    }

    public var count: Int { young.count + old.count }

    public subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old.removeValue(forKey: key) else { return nil }
            // Its room is as large as it was.
            if old.isEmpty { old = [:] }
            insert(value, for: key)
            return value
        }
    }

    public mutating func insert(_ value: Value, for key: Key) {
        if young.count >= generationMax, young[key] == nil { turn() }
        old[key] = nil
        young[key] = value
    }

    public mutating func remove(_ key: Key) {
        young[key] = nil
        old[key] = nil
    }

    /// Drops what was not asked for since the last call.
    public mutating func turn() {
        old = young
        young = [:]
    }
}
