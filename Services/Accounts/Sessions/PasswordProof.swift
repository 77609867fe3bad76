import Postgres
import Primitives
import Reactor
import Security

/// Checks the password of somebody who is logged in, before what only the owner may do: change it, leave, take the data away. Wrong
/// ones are slowed down as wrong log-ins are.
struct PasswordProof: Sendable {
    static let wrong = Refusal(
        .forbidden, "wrong-password", "The password is not this one.", pointer: "/password")

    let store: Store
    let hasher: PasswordHasher
    let attempts: LoginAttempts

    /// The stored hash, which a transaction compares (`hold`). Throws `wrong` and `too-many-tries`.
    func check(
        _ password: String, of account: UUID, from address: SocketAddress?, wrong: Refusal = wrong
    ) async throws -> String {
        let place = LoginAttempts.Place(here: store.columns.index(passwordChangeOf: account), name: nil)
        let attempt = try await attempts.begin(place, isKnown: true)
        let stored = try await store.database.queryOne(
            "select hash from password where account = \(account)", as: String.self)
        guard let stored, password.utf8.count <= PasswordPolicy.typedBytesMax else { throw wrong }
        do {
            let client = HashingTurns.Client(address, isKnown: true)
            guard try await hasher.matches(password, stored: stored, for: client) else { throw wrong }
        } catch let error as IOError {
            // No turn, no check.
            try await attempts.takeBack(attempt)
            throw error
        }
        try await attempts.succeeded(place)
        return stored
    }

    /// Locks the account until the end of the transaction if its password is still the one that was checked. Throws
    /// `changed-meanwhile`.
    static func hold(_ account: UUID, checked hash: String, in transaction: Transaction) async throws {
        try await Store.lock(account, in: transaction)
        let now = try await transaction.queryOne(
            "select hash from password where account = \(account)", as: String.self)
        guard now == hash else { throw Refusal(.conflict, "changed-meanwhile", "The password was just changed.") }
    }
}
