import Synchronization

/// What is replaced as a whole when files are read again.
public final class Replaceable<Value: Sendable>: Sendable {
    private let held: Mutex<Value>

    public init(_ value: Value) {
        held = Mutex(value)
    }

    public var value: Value { held.withLock { $0 } }

    public func replace(_ value: Value) { held.withLock { $0 = value } }
}
