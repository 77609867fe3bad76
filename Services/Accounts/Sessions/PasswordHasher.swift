import Reactor
import Security

/// Hashes passwords on threads of their own, few at a time and at the lowest priority: a hash takes a third of a
/// second of computing, which must not slow anything else down.
struct PasswordHasher: Sendable {
    /// How many may wait: some seconds' work, since whoever waits longer has given up.
    static let queueMax = 32

    let pool: BlockingPool
    let parameters: PasswordHash.Parameters

    init(threads: Int = 2, parameters: PasswordHash.Parameters = .standard) throws(IOError) {
        pool = try BlockingPool(threads: threads, queueMax: Self.queueMax, nice: 19)
        self.parameters = parameters
    }

    /// What is stored of a new password. Errors: `limit`.
    func hash(_ password: String) async throws(IOError) -> String {
        let parameters = parameters
        return try await pool.run { PasswordHash(password, parameters: parameters).description }
    }

    /// Whether it is the stored password. Without a stored one the answer is no, after the same time (ACC-07).
    func matches(_ password: String, stored: String?) async throws -> Bool {
        let hash = try stored.map { try PasswordHash(stored: $0) } ?? PasswordHash.decoy(parameters: parameters)
        return try await pool.run { hash.matches(password) }
    }
}
