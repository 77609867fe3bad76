import Glibc
import Reactor
import Security

/// Hashes passwords on threads of their own, few at a time and at the lowest priority: a hash takes a third of a
/// second of computing, which must not slow anything else down.
struct PasswordHasher: Sendable {
    let pool: BlockingPool
    let turns: HashingTurns
    let parameters: PasswordHash.Parameters

    /// Two at a time, as long as a processor is left on which nothing is hashed: kernels take up to 4 ms to let others onto one
    /// that is busy with the lowest priority, and everybody's commits wait for that.
    static var threadsUsual: Int { min(2, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)) }

    init(threads: Int = threadsUsual, parameters: PasswordHash.Parameters = .standard) throws(IOError) {
        turns = HashingTurns(runningMax: threads)
        // As many threads as turns: a client that has its turn finds a free one.
        pool = try BlockingPool(threads: threads, queueMax: threads, nice: 19)
        self.parameters = parameters
    }

    /// The stored form of a new password. Errors: `limit`, `cancelled`.
    func hash(_ password: String, for client: HashingTurns.Client) async throws(IOError) -> String {
        let (pool, parameters) = (pool, parameters)
        return try await turns.run(client) { () async throws(IOError) in
            try await pool.run { PasswordHash(password, parameters: parameters).description }
        }
    }

    /// Whether the password is the stored one. Without a stored one it is false, after the time of a hash with the parameters of
    /// today (ACC-07).
    func matches(_ password: String, stored: String?, for client: HashingTurns.Client) async throws -> Bool {
        let hash = try stored.map { try PasswordHash(stored: $0) } ?? PasswordHash.decoy(parameters: parameters)
        let pool = pool
        return try await turns.run(client) { () async throws(IOError) in try await pool.run { hash.matches(password) } }
    }
}
