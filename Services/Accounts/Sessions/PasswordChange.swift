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

    private static let wrong = Refusal(.forbidden, "wrong-password", "The old password is not this one.")

    let store: Store
    let hasher: PasswordHasher
    let proof: PasswordProof
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
        let stored = try await proof.check(form.oldPassword, of: account, from: address, wrong: Self.wrong)
        let hash = try await hasher.hash(form.newPassword, for: HashingTurns.Client(address, isKnown: true))
        try await store.transaction { transaction in
            try await PasswordProof.hold(account, checked: stored, in: transaction)
            try await transaction.execute(
                "update password set hash = \(hash), changed_at = \(store.now()) where account = \(account)")
            try await sessions.endAll(of: account, except: current, in: transaction)
            try await transaction.batch([
                "delete from password_reset where account = \(account)", FactorTries.forgive(account),
                PasskeyChallenges.drop(of: account),
            ])
            try await Inbox.warn(account, MessageCatalogue.passwordChanged, store: store, in: transaction)
        }
    }
}
