import Domain
import JSON
import Primitives
import Security
import Service

/// The encrypted columns of this schema and the keyed hashes that find their rows (NFR-05).
struct PersonalColumns: Sendable {
    /// A column whose values are sealed with their account's key, each bound to its row.
    enum Column: String, CaseIterable {
        case email = "accounts.account.email"
        case person = "accounts.person.profile"
        case company = "accounts.company.profile"
        case deviceName = "accounts.device.name"
        case clientName = "accounts.client.name"
        case message = "accounts.message.content"
        case mail = "accounts.mail.content"
        case mailAddress = "accounts.mail.address"
        case push = "accounts.push_subscription.content"
        case helper = "accounts.registration_helper.content"
        case secondFactor = "accounts.second_factor.secret"
        case passkeyName = "accounts.passkey.name"
        case picture = "accounts.picture.content"
        case exportPiece = "accounts.export_piece.content"
    }

    /// A column whose values are sealed with the service's key, since there is no account's, or none any more.
    enum ServiceColumn: String, CaseIterable {
        case pairingName = "accounts.pairing.name"
        case ownerlessMail = "accounts.mail.ownerless"
        case erasureContact = "accounts.erasure.contact"
        case operatorSecret = "accounts.operator.secret"

        /// The column, for sealing its values anew with another key.
        var sealed: SealedColumn {
            let parts = rawValue.split(separator: ".").map(String.init)
            return SealedColumn(parts[1], parts[2], location: rawValue)
        }
    }

    private let cipher: FieldCipher
    private let emails: BlindIndex
    private let fiscalCodes: BlindIndex
    private let vatNumbers: BlindIndex
    private let companyNames: BlindIndex
    private let logins: BlindIndex
    private let places: BlindIndex
    private let passwordChanges: BlindIndex
    private let codes: BlindIndex
    private let refreshTokens: BlindIndex
    private let signingKeys: BlindIndex
    private let endpoints: BlindIndex
    private let recoveryCodes: BlindIndex
    private let passkeyOwners: BlindIndex
    private let populationNames: BlindIndex

    init(cipher: FieldCipher, indexKey: SecretKey) {
        self.cipher = cipher
        emails = BlindIndex(master: indexKey, column: "accounts.account.email")
        fiscalCodes = BlindIndex(master: indexKey, column: "accounts.person.fiscal_code")
        vatNumbers = BlindIndex(master: indexKey, column: "accounts.company.vat_number")
        companyNames = BlindIndex(master: indexKey, column: "accounts.company.name")
        logins = BlindIndex(master: indexKey, column: "accounts.login_attempt.login")
        places = BlindIndex(master: indexKey, column: "accounts.login_place.place")
        passwordChanges = BlindIndex(master: indexKey, column: "accounts.password.account")
        codes = BlindIndex(master: indexKey, column: "accounts.pairing.code")
        refreshTokens = BlindIndex(master: indexKey, column: "accounts.refresh_token.successor")
        signingKeys = BlindIndex(master: indexKey, column: "accounts.signing_key.public_key")
        endpoints = BlindIndex(master: indexKey, column: "accounts.push_subscription.endpoint")
        recoveryCodes = BlindIndex(master: indexKey, column: "accounts.recovery_code.code")
        passkeyOwners = BlindIndex(master: indexKey, column: "accounts.passkey.owner")
        populationNames = BlindIndex(master: indexKey, column: "accounts.provisioned.name")
    }

    // MARK: Values sealed with an account's key

    func seal(_ text: String, _ column: Column, row: UUID, with key: SubjectKey) -> [UInt8] {
        key.seal(text, at: FieldLocation(column.rawValue, row: row))
    }

    func open(_ sealed: [UInt8], _ column: Column, row: UUID, with key: SubjectKey) throws(SecurityError) -> String {
        try key.openText(sealed, at: FieldLocation(column.rawValue, row: row))
    }

    func seal(bytes: [UInt8], _ column: Column, row: UUID, with key: SubjectKey) -> [UInt8] {
        key.seal(bytes, at: FieldLocation(column.rawValue, row: row))
    }

    func openBytes(
        _ sealed: [UInt8], _ column: Column, row: UUID, with key: SubjectKey
    ) throws(SecurityError) -> [UInt8] {
        try key.open(sealed, at: FieldLocation(column.rawValue, row: row))
    }

    func seal(
        encoding value: some Encodable, _ column: Column, row: UUID, with key: SubjectKey
    ) throws(JSONError) -> [UInt8] {
        seal(bytes: try JSONEncoder().encode(value), column, row: row, with: key)
    }

    func open<Value: Decodable>(
        _ sealed: [UInt8], as _: Value.Type, _ column: Column, row: UUID, with key: SubjectKey
    ) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try openBytes(sealed, column, row: row, with: key))
    }

    /// An address as it was sealed. It was valid then.
    func openEmail(_ sealed: [UInt8], of account: UUID, with key: SubjectKey) throws -> EmailAddress {
        try EmailAddress(validating: try open(sealed, .email, row: account, with: key))
    }

    // MARK: Values sealed with the service's key

    func seal(encoding value: some Encodable, _ column: ServiceColumn, row: UUID) throws(JSONError) -> [UInt8] {
        cipher.seal(try JSONEncoder().encode(value), at: FieldLocation(column.rawValue, row: row))
    }

    func open<Value: Decodable>(
        _ sealed: [UInt8], as _: Value.Type, _ column: ServiceColumn, row: UUID
    ) throws -> Value {
        try JSONDecoder().decode(
            Value.self, from: try cipher.open(sealed, at: FieldLocation(column.rawValue, row: row)))
    }

    func seal(_ text: String, _ column: ServiceColumn, row: UUID) -> [UInt8] {
        cipher.seal(text, at: FieldLocation(column.rawValue, row: row))
    }

    func open(_ sealed: [UInt8], _ column: ServiceColumn, row: UUID) throws(SecurityError) -> String {
        try cipher.openText(sealed, at: FieldLocation(column.rawValue, row: row))
    }

    func seal(bytes: [UInt8], _ column: ServiceColumn, row: UUID) -> [UInt8] {
        cipher.seal(bytes, at: FieldLocation(column.rawValue, row: row))
    }

    func openBytes(_ sealed: [UInt8], _ column: ServiceColumn, row: UUID) throws(SecurityError) -> [UInt8] {
        try cipher.open(sealed, at: FieldLocation(column.rawValue, row: row))
    }

    // MARK: Look-ups

    func index(_ email: EmailAddress) -> [UInt8] { emails.index(email.normalized) }
    func index(_ code: FiscalCode) -> [UInt8] { fiscalCodes.index(code.description) }
    func index(_ number: VATNumber) -> [UInt8] { vatNumbers.index(number.description) }
    func index(_ code: SixDigitCode) -> [UInt8] { codes.index(code.description) }

    func index(_ key: Ed25519PublicKey) -> [UInt8] { signingKeys.index(key.bytes) }

    func index(endpoint: String) -> [UInt8] { endpoints.index(endpoint) }

    /// The refresh token that a used one was replaced by.
    func successor(of token: OneTimeToken) -> OneTimeToken { token.successor(refreshTokens) }

    /// Names that differ only in case or spacing are the same company's.
    func index(companyName name: String) -> [UInt8] {
        companyNames.index(name.lowercased().split { $0.isWhitespace }.joined(separator: " "))
    }

    /// Index of the name typed at a log-in.
    func index(login: String) -> [UInt8] { logins.index(login) }

    /// Index of the name and the network that it came from.
    func index(login: String, from network: [UInt8]) -> [UInt8] {
        places.index("\(login)\n\(Base64.url.encode(network))")
    }

    /// Index of a site's turn with that name. No network is as long as the last part, so it equals no other index.
    func index(login: String, turnOf site: [UInt8]) -> [UInt8] {
        places.index("\(login)\n\(Base64.url.encode(site))\nturn")
    }

    /// Index of the turns given out for that name.
    func index(turnsOf login: String) -> [UInt8] { places.index("\(login)\nturns") }

    /// Index of the name typed at a log-in of operators. No network is as long as the last part, so it equals no other index.
    func index(operatorName name: String) -> [UInt8] { places.index("\(name)\noperator") }

    /// The same code of another account has another index.
    func index(recoveryCode code: String, of account: UUID) -> [UInt8] {
        recoveryCodes.index("\(account)\n\(code)")
    }

    /// What authenticators know the account by (WebAuthn's user handle): tells nothing of it, and no other service has it.
    func index(passkeysOf account: UUID) -> [UInt8] { passkeyOwners.index(account.description) }

    /// What stands for people who are provisioned under a name that the operator has given them together.
    func index(populationName name: String) -> [UInt8] { populationNames.index(name) }

    func index(passwordChangeOf account: UUID) -> [UInt8] { passwordChanges.index(account.description) }
}
