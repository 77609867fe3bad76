public import Primitives
public import Security

/// The keys of some people, as one question has found them.
public struct SubjectKeySet: Sendable {
    private let keys: [UUID: Result<SubjectKey, any Error>]

    init(_ keys: [UUID: Result<SubjectKey, any Error>]) {
        self.keys = keys
    }

    init(unwrapped keys: [UUID: Result<SubjectKey, SecurityError>]) {
        self.init(keys.mapValues { $0.mapError { $0 as any Error } })
    }

    /// Whether the person has a key, readable or lost. Nobody has whose key was destroyed.
    public func contains(_ account: UUID) -> Bool { keys[account] != nil }

    /// Throws `KeyMissing` when there is none, and `SecurityError` when it cannot be unwrapped.
    public func key(of account: UUID) throws -> SubjectKey {
        guard let key = keys[account] else { throw KeyMissing() }
        return try key.get()
    }
}
