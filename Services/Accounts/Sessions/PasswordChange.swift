import Domain
import Postgres
import Primitives
import Reactor
import Security

/// Changes the password of somebody who knows the old one (ACC-10), and tells the owner.
struct PasswordChange: Sendable {
    struct Form: Decodable, Sendable {
        let oldPassword: String
        let newPassword: String
        let newPasswordAgain: String
    }

    let store: Store
    let hasher: PasswordHasher
    let attempts: LoginAttempts
    let sessions: Sessions
    let profiles: Profiles

    /// Ends all sessions but the `current` one. Wrong old passwords are slowed down as wrong log-ins are.
    func change(
        _ form: Form, of account: UUID, current: UUID?, from address: SocketAddress?
    ) async throws {
        guard form.newPassword == form.newPasswordAgain else {
            throw Refusal.invalid("/new_password_again", "The two new passwords differ.", code: "passwords-differ")
        }
        try await profiles.check(form.newPassword, of: account)
        let place = LoginAttempts.Place(here: store.columns.index(passwordChangeOf: account), name: nil)
        let attempt = try await attempts.begin(place, isKnown: true)
        let client = HashingTurns.Client(address, isKnown: true)
        let stored = try await store.database.queryOne(
            "select hash from password where account = \(account)", as: String.self)
        let wrong = Refusal(.forbidden, "wrong-password", "The old password is not this one.")
        guard form.oldPassword.utf8.count <= PasswordPolicy.typedBytesMax else { throw wrong }
        do {
            guard try await hasher.matches(form.oldPassword, stored: stored, for: client) else { throw wrong }
        } catch let error as IOError {
            // No turn, no check.
            try await attempts.takeBack(attempt)
            throw error
        }
        try await attempts.succeeded(place)
        let hash = try await hasher.hash(form.newPassword, for: client)
        try await store.transaction { transaction in
            try await Store.lock(account, in: transaction)
            // Only if it was not changed meanwhile.
            let count = try await transaction.execute(
                """
                update password set hash = \(hash), changed_at = \(store.now())
                where account = \(account) and hash = \(stored)
                """)
            guard count == 1 else { throw Refusal(.conflict, "changed-meanwhile", "The password was just changed.") }
            try await sessions.endAll(of: account, except: current, in: transaction)
            try await transaction.execute("delete from password_reset where account = \(account)")
            try await Self.tell(account, store: store, in: transaction)
        }
    }

    /// Tells the owner by mail; it cannot be switched off, since it concerns the account's safety.
    static func tell(_ account: UUID, store: Store, in transaction: Transaction) async throws {
        let now = store.now()
        try await Inbox.put(
            MessageCatalogue.passwordChanged, ["time": now.description], id: .timeOrdered(at: now), to: account,
            email: true,
            store: store, in: transaction)
    }
}
