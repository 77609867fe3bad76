import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Security

/// Tokens of authorised applications, which are devices of the person's from then on: in the list, with preferences and pauses,
/// removed alike (ACC-14; RFC 6749 §4.1.3 and §6, RFC 7636 §4.6).
struct ApplicationTokens: Sendable {
    /// An application that has not refreshed for so long has to be authorised anew.
    static let idleLife = Duration.seconds(180 * 24 * 3600)

    private static let wrongCode = TokenFailure.invalidGrant(
        "the code is unknown, used or over a minute old, or redirect_uri or code_verifier do not belong to it")
    private static let wrongToken = TokenFailure.invalidGrant(
        "the refresh token is unknown or used, or the person has removed the application: have it authorised again")

    let store: Store
    let issuer: TokenIssuer
    private let refreshTokens: RefreshTokens

    init(store: Store, issuer: TokenIssuer) {
        (self.store, self.issuer) = (store, issuer)
        refreshTokens = RefreshTokens(store: store)
    }

    // MARK: Codes

    private struct Code: Sendable {
        let isFresh: Bool
        let device: UUID?
        let dataTypes: [Int16]
    }

    /// Tokens for a code. The second use of a code by who can show its verifier ends what the first one began: two have it
    /// (RFC 6749 §4.1.2). Whoever has the code without the verifier changes nothing.
    func redeem(
        _ text: String, redirectURI: String, verifier: String, by proof: ClientProof
    ) async throws -> TokenGrant {
        guard let code = OneTimeToken(text), Self.isVerifier(verifier) else { throw Self.wrongCode }
        let challenge = Digest.sha256(Array(verifier.utf8))
        let grant = try await store.transaction { transaction -> TokenGrant? in
            let application = try await SourceApplications.authenticate(proof, in: transaction)
            let account = try await transaction.queryOne(
                "select account from authorization_code where code_hash = \(code.storedHash)", as: UUID.self)
            // The account first, as everybody who changes its devices.
            guard let account, let version = try await Store.nextVersion(of: account, in: transaction) else {
                return nil
            }
            guard
                let found = try await lock(
                    code, of: application.id, redirectURI: redirectURI, challenge: challenge, in: transaction)
            else { return nil }
            if let device = found.device {
                try await end(device, of: account, version: version, name: application.name, in: transaction)
                return nil
            }
            guard found.isFresh else { return nil }
            let device: UUID
            do {
                device = try await add(application, found.dataTypes, to: account, version: version, in: transaction)
            } catch let refusal as Refusal {
                // The person has paired as many devices as one can have, meanwhile.
                throw TokenFailure.invalidGrant(refusal.detail)
            }
            try await transaction.execute(
                "update authorization_code set device = \(device) where code_hash = \(code.storedHash)")
            let token = OneTimeToken.random()
            try await refreshTokens.insert(token, for: .device(device), in: transaction)
            return try self.grant(device, of: account, refresh: token)
        }
        guard let grant else { throw Self.wrongCode }
        return grant
    }

    /// Of unreserved characters (RFC 7636 §4.1), which percent-encoding leaves as they are.
    private static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && PercentEncoding.encode(text) == text
    }

    private func lock(
        _ code: OneTimeToken, of application: UUID, redirectURI: String, challenge: [UInt8], in transaction: Transaction
    ) async throws -> Code? {
        let life = Authorizations.codeLife.components.seconds
        return try await transaction.queryOne(
            """
            select created_at between clock_timestamp() - interval '1 second' * \(life) and clock_timestamp(),
              device, data_types
            from authorization_code
            where code_hash = \(code.storedHash) and application = \(application) and redirect_uri = \(redirectURI)
              and challenge = \(challenge)
            for update
            """, as: Bool.self, UUID?.self, [Int16].self
        ).map { Code(isFresh: $0.0, device: $0.1, dataTypes: $0.2) }
    }

    /// The application as a device; in the place of the one that it was before, so that one history goes on.
    private func add(
        _ application: SourceApplications.Application, _ types: [Int16], to account: UUID, version: Int64,
        in transaction: Transaction
    ) async throws -> UUID {
        let before = try await transaction.queryOne(
            "select id from device where account = \(account) and application = \(application.id)", as: UUID.self)
        let device: UUID
        if let before {
            let replacement = DeviceReplacement(store: store, account: account, version: version)
            (device, _) = try await replacement.replace(
                before, named: nil, offered: application.dataTypes, in: transaction)
        } else {
            device = try await Devices.insert(
                name: application.name, offered: application.dataTypes, for: account, store: store, in: transaction)
        }
        // What it was admitted for may have changed since the person chose.
        try await transaction.execute(
            """
            update device set application = \(application.id), token_at = \(store.now()),
              data_types = \(types.filter(application.dataTypes.contains))
            where id = \(device)
            """)
        try await Devices.publish(device, of: account, version: version, store: store, in: transaction)
        try await Inbox.warn(
            account, MessageCatalogue.applicationAuthorised, ["application": application.name], store: store,
            in: transaction)
        return device
    }

    // MARK: Refreshing

    /// The next tokens for a refresh token; the same again when the first answer may have been lost. Any other second use ends the
    /// authorisation (`RefreshTokens`).
    func refresh(_ text: String, by proof: ClientProof) async throws -> TokenGrant {
        guard let token = OneTimeToken(text) else { throw Self.wrongToken }
        let grant = try await store.transaction { transaction -> TokenGrant? in
            let application = try await SourceApplications.authenticate(proof, in: transaction)
            let owner = try await transaction.queryOne(
                """
                select d.account from refresh_token r join device d on d.id = r.device
                where r.token_hash = \(token.storedHash) and d.application = \(application.id)
                """, as: UUID.self)
            guard let account = owner else { return nil }
            try await Store.lock(account, in: transaction)
            let found = try await transaction.queryOne(
                """
                select r.device, r.used_at is not null, r.issued_at > \(store.now() - Self.idleLife)
                from refresh_token r where r.token_hash = \(token.storedHash) for update
                """, as: UUID.self, Bool.self, Bool.self)
            guard let (device, isUsed, isLive) = found else { return nil }
            let next: OneTimeToken
            if isUsed {
                guard try await refreshTokens.isAskedAgain(token, in: transaction) else {
                    let version = try await Store.requiredVersion(of: account, in: transaction)
                    try await end(device, of: account, version: version, name: application.name, in: transaction)
                    return nil
                }
                next = refreshTokens.successor(of: token)
            } else {
                guard isLive else { return nil }
                next = try await refreshTokens.replace(token, of: .device(device), in: transaction)
                try await transaction.execute("update device set token_at = \(store.now()) where id = \(device)")
            }
            return try self.grant(device, of: account, refresh: next)
        }
        guard let grant else { throw Self.wrongToken }
        return grant
    }

    // MARK: Parts

    private func grant(_ device: UUID, of account: UUID, refresh: OneTimeToken) throws -> TokenGrant {
        TokenGrant(
            token: try issuer.token(forDevice: device, of: account), scopes: [TokenIssuer.deviceScope],
            refreshToken: refresh.text)
    }

    /// Ends an authorisation whose secrets two parties have. What it has brought stays. The person may have removed it already.
    private func end(
        _ device: UUID, of account: UUID, version: Int64, name: String, in transaction: Transaction
    ) async throws {
        guard
            try await Devices.removeIfThere(device, of: account, version: version, store: store, in: transaction)
        else { return }
        try await Inbox.warn(
            account, MessageCatalogue.applicationDisconnected, ["application": name], store: store, in: transaction)
    }
}
