import Contracts
import Domain
import Primitives
import Security
import Service

/// Issues the access tokens of the suite (ACC-15, ACC-16).
struct TokenIssuer: Sendable {
    static let life = TokenClaims.lifeMax
    /// The scopes that a third party's tokens may have.
    static let thirdPartyScopes = AccessScope.thirdParty.map(\.rawValue)
    static let deviceScope = AccessScope.upload.rawValue
    /// The scopes that the tokens of a device may have which was paired with a code.
    static let pairedDeviceScopes = AccessScope.device.map(\.rawValue)

    let keys: SigningKeys
    let clock: any WallClock

    /// A token for the owner of an account who has logged in. `scopes`: of a third party (`Admission`).
    func token(for account: UUID, kind: AccountKind, scopes: [String] = [], session: UUID) throws -> String {
        switch kind {
        case .individual: try sign(account, .individual, session: session)
        case .thirdParty: try sign(account, .thirdParty, scopes: scopes, session: session)
        case .organiser: try sign(account, .organiser, session: session)
        }
    }

    /// A token for a device, which is the token's client and its session at once. The subject is the account, so that
    /// the service that takes samples need not ask (ING-05).
    func token(forDevice device: UUID, of account: UUID, scopes: [String] = [deviceScope]) throws -> String {
        try sign(account, .device, scopes: scopes, session: device, client: device.description)
    }

    /// A token for a third party's own program.
    func token(forClient client: UUID, of account: UUID, scopes: [String]) throws -> String {
        try sign(account, .thirdParty, scopes: scopes, session: client, client: client.description)
    }

    private func sign(
        _ subject: UUID, _ kind: TokenClaims.Kind, scopes: [String] = [], session: UUID, client: String? = nil
    ) throws -> String {
        let now = clock.now()
        return try keys.sign(
            TokenClaims(
                issuer: Authenticator.issuer, subject: subject, audience: [Authenticator.audience],
                expiresAt: now + Self.life, issuedAt: now, identifier: .random(), kind: kind, scopes: scopes,
                session: session, clientIdentifier: client))
    }
}
