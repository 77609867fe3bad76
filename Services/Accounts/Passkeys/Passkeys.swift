import Domain
import Postgres
import Primitives
import Reactor
import Security

/// The passkeys of an account, which are a second factor beside the password (W3C WebAuthn Level 3). Adding and removing one needs
/// the password; the owner is told.
struct Passkeys: Sendable {
    static let countMax = 10
    static let nameCharactersMax = 80

    struct PasswordForm: Decodable, Sendable { let password: String }

    struct Form: Decodable, Sendable {
        let name: String
        let clientData: PasskeyBytes
        let attestationObject: PasskeyBytes
    }

    /// What the browser makes a passkey with (section 5.4).
    struct Options: Encodable, Sendable {
        let challenge: String
        let rpID: String
        let userID: String
        let userName: String
        let algorithms: [Int64]
        /// Authenticators that have one of these are not used again.
        let credentialIDs: [String]
        let expiresAt: Timestamp
    }

    struct Added: Encodable, Sendable {
        let id: UUID
        /// With the first factor of the account.
        let recoveryCodes: [String]?
    }

    struct Listed: Encodable, Sendable {
        let id: UUID
        let name: String
        let createdAt: Timestamp
        let usedAt: Timestamp?
    }

    private static let refused = Refusal(
        .forbidden, "passkey-refused", "This is no passkey that was just made for this site.",
        pointer: "/attestation_object")

    let store: Store
    let proof: PasswordProof
    let sessions: Sessions
    let relyingParty: RelyingParty
    private var challenges: PasskeyChallenges { PasskeyChallenges(store: store) }
    private var codes: FactorCodes { FactorCodes(store: store) }

    func list(of account: UUID) async throws -> [Listed] {
        let key = try await store.key(of: account)
        return try await store.database.query(
            "select id, name, created_at, used_at from passkey where account = \(account) order by created_at, id",
            as: UUID.self, [UInt8].self, Timestamp.self, Timestamp?.self
        ).map { id, name, createdAt, usedAt in
            Listed(
                id: id, name: try store.columns.open(name, .passkeyName, row: id, with: key), createdAt: createdAt,
                usedAt: usedAt)
        }
    }

    /// Throws `wrong-password`, `too-many-tries`, `changed-meanwhile`, `too-many-passkeys`.
    func begin(_ form: PasswordForm, of account: UUID, from address: SocketAddress?) async throws -> Options {
        let hash = try await proof.check(form.password, of: account, from: address)
        return try await store.transaction { transaction in
            try await PasswordProof.hold(account, checked: hash, in: transaction)
            let ids = try await transaction.query(
                "select credential_id from passkey where account = \(account)", as: [UInt8].self)
            try Self.checkCount(ids.count)
            let email = try await transaction.queryOne(
                "select email from account where id = \(account)", as: [UInt8].self)
            guard let email else { throw Refusal.notFound }
            let key = try await store.key(of: account)
            let challenge = try await challenges.issue(.creation, to: account, in: transaction)
            return Options(
                challenge: challenge.text, rpID: relyingParty.id,
                userID: Base64.url.encode(store.columns.index(passkeysOf: account)),
                userName: try store.columns.openEmail(email, of: account, with: key).description,
                algorithms: PasskeyPublicKey.algorithms, credentialIDs: ids.map { Base64.url.encode($0) },
                expiresAt: store.now() + PasskeyChallenges.life)
        }
    }

    /// Section 7.1. Who vouches for the authenticator is not asked: an attestation is not looked at. With the account's first factor
    /// all other sessions end, which began without. Throws `challenge-expired`, `passkey-refused`, `passkey-known`,
    /// `too-many-passkeys`.
    func add(_ form: Form, of account: UUID, current: UUID?) async throws -> Added {
        try PlainText.check(form.name, charactersMax: Self.nameCharactersMax, at: "/name")
        guard let clientData = form.clientData.bytes,
            let challenge = relyingParty.challenge(in: clientData, .creation)
        else { throw Self.refused }
        // Used up whatever comes of it.
        guard try await challenges.use(challenge, .creation, of: account, in: store.database) else {
            throw Refusal(.gone, "challenge-expired", "The challenge was used or has expired; please begin again.")
        }
        let (credential, count) = try credential(form.attestationObject)
        let (id, now) = (UUID.random(), store.now())
        let name = store.columns.seal(form.name, .passkeyName, row: id, with: try await store.key(of: account))
        return try await store.transaction { transaction in
            try await Store.lock(account, in: transaction)
            let isFirst = try await !codes.kinds(of: account, in: transaction).isAny
            let number = try await transaction.queryOne(
                "select count(*) from passkey where account = \(account)", as: Int.self)
            try Self.checkCount(number ?? 0)
            let added = try await transaction.execute(
                """
                insert into passkey (id, account, credential_id, public_key, sign_count, name, created_at)
                values (\(id), \(account), \(credential.id), \(credential.publicKey), \(count), \(name), \(now))
                on conflict on constraint passkey_credential do nothing
                """)
            guard added == 1 else {
                throw Refusal(.conflict, "passkey-known", "The account has this passkey already.")
            }
            if isFirst { try await sessions.endAll(of: account, except: current, in: transaction) }
            try await Inbox.warn(account, MessageCatalogue.passkeyAdded, store: store, in: transaction)
            return Added(id: id, recoveryCodes: isFirst ? try await codes.renew(of: account, in: transaction) : nil)
        }
    }

    /// Without another factor log-ins ask for the password only. Throws `wrong-password`, `too-many-tries`, `changed-meanwhile`,
    /// `not-found`.
    func remove(
        _ passkey: UUID, _ form: PasswordForm, of account: UUID, from address: SocketAddress?
    ) async throws {
        let hash = try await proof.check(form.password, of: account, from: address)
        try await store.transaction { transaction in
            try await PasswordProof.hold(account, checked: hash, in: transaction)
            let count = try await transaction.execute(
                "delete from passkey where account = \(account) and id = \(passkey)")
            guard count == 1 else { throw Refusal.notFound }
            try await codes.dropIfUnneeded(account, in: transaction)
            try await Inbox.warn(account, MessageCatalogue.passkeyRemoved, store: store, in: transaction)
        }
    }

    private func credential(
        _ attestation: PasskeyBytes
    ) throws(Refusal) -> (AuthenticatorData.Credential, signCount: Int64) {
        guard let bytes = attestation.bytes, let object = try? CBORValue(bytes), let signed = object["authData"]?.bytes,
            let data = try? AuthenticatorData(signed), relyingParty.isOurs(data), let credential = data.credential,
            credential.publicKey.count <= PasskeyPublicKey.bytesMax,
            (try? PasskeyPublicKey(stored: credential.publicKey)) != nil
        else { throw Self.refused }
        return (credential, data.signCount)
    }

    private static func checkCount(_ count: Int) throws(Refusal) {
        guard count < countMax else {
            throw Refusal(.conflict, "too-many-passkeys", "At most \(countMax) passkeys belong to one account.")
        }
    }
}
