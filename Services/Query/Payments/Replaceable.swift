import Synchronization

/// What is replaced as a whole when files are read again.
final class Replaceable<Value: Sendable>: Sendable {
    private let held: Mutex<Value>

    init(_ value: Value) {
        held = Mutex(value)
    }

    var value: Value { held.withLock { $0 } }

    func replace(_ value: Value) { held.withLock { $0 = value } }
}
