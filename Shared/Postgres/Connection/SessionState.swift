/// What a value of `SessionState` is found under.
public protocol SessionStateKey {
    associatedtype Value
}

/// Values that other modules keep for as long as one session with the server lives, such as a lock that the session
/// holds. Confined to the connection's loop like the connection itself; they go with it.
public final class SessionState {
    private var values: [ObjectIdentifier: Any] = [:]

    init() {}

    public subscript<Key: SessionStateKey>(key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
