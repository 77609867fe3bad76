import Synchronization

/// The ring that a service seals with at the moment; it can be replaced while the service runs.
public final class FieldKeys: Sendable {
    private let state: Mutex<KeyRing>

    public init(_ ring: KeyRing) {
        state = Mutex(ring)
    }

    public var ring: KeyRing { state.withLock { $0 } }

    /// From now on values are sealed with the current key of `ring`, and only those of its keys are opened.
    public func replace(with ring: KeyRing) { state.withLock { $0 = ring } }
}
