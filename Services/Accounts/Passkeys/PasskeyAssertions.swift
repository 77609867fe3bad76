import JSON
import Postgres
import Primitives
import Security

/// Log-ins by passkey: what the browser is asked to sign, and whether it has (WebAuthn Level 3, section 7.2).
struct PasskeyAssertions: Sendable {
    struct Form: Decodable, Sendable {
        let credentialID: PasskeyBytes
        let clientData: PasskeyBytes
        let authenticatorData: PasskeyBytes
        let signature: PasskeyBytes
    }

    static let wrong = Refusal(
        .forbidden, "wrong-passkey", "The passkey is not one of the account's, or its answer is not to this log-in.",
        pointer: "/passkey")

    let store: Store
    let relyingParty: RelyingParty
    private var challenges: PasskeyChallenges { PasskeyChallenges(store: store) }

    /// A challenge for this log-in, with the account's passkeys. The caller holds the account, and has checked the password.
    func request(_ account: UUID, in transaction: Transaction) async throws -> JSONValue {
        let ids = try await transaction.query(
            "select credential_id from passkey where account = \(account) order by created_at, id", as: [UInt8].self)
        let challenge = try await challenges.issue(.logIn, to: account, in: transaction)
        return [
            "challenge": .string(challenge.text), "rp_id": .string(relyingParty.id),
            "credential_ids": .array(ids.map { .string(Base64.url.encode($0)) }),
        ]
    }

    /// Whether one of the account's passkeys has signed a challenge of the account's, which is used up by this. The caller holds the
    /// account. A count of signatures that does not grow tells of a copy (section 6.1.1): it is refused, and the owner hears of it.
    func use(_ form: Form, of account: UUID, in transaction: Transaction) async throws -> Bool {
        guard let id = form.credentialID.bytes, let clientData = form.clientData.bytes,
            let signed = form.authenticatorData.bytes, let signature = form.signature.bytes,
            let challenge = relyingParty.challenge(in: clientData, .assertion),
            try await challenges.use(challenge, .logIn, of: account, in: transaction),
            let data = try? AuthenticatorData(signed), relyingParty.isOurs(data)
        else { return false }
        let found = try await transaction.queryOne(
            "select id, public_key, sign_count from passkey where account = \(account) and credential_id = \(id)",
            as: UUID.self, [UInt8].self, Int64.self)
        guard let (passkey, stored, count) = found else { return false }
        let key: PasskeyPublicKey
        do { key = try PasskeyPublicKey(stored: stored) } catch { throw StoredValueError(column: "passkey.public_key") }
        guard key.isValid(signature, for: signed + Digest.sha256(clientData)) else { return false }
        guard data.signCount > count || (data.signCount == 0 && count == 0) else {
            try await Inbox.warn(account, MessageCatalogue.passkeyCopied, store: store, in: transaction)
            return false
        }
        try await transaction.execute(
            """
            update passkey set sign_count = \(data.signCount), used_at = \(store.now())
            where account = \(account) and id = \(passkey)
            """)
        return true
    }
}
