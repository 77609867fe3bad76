public import Contracts
public import Domain
import HTTP
public import Primitives

/// What an individual fills in.
public struct IndividualForm: Codable, Sendable {
    public var name: String
    public var surname: String
    public var birthDate: CalendarDate
    public var fiscalCode: FiscalCode
    public var email: EmailAddress
    public var password: String
    public var termsVersion: String
    public var residence: BelfioreCode?
    public var occupation: Occupation?
    public var phone: PhoneNumber?
    public var language: Language?
    public var consents: Accounts.Consents

    public init(
        name: String, surname: String, birthDate: CalendarDate, fiscalCode: FiscalCode, email: EmailAddress,
        password: String, termsVersion: String, residence: BelfioreCode? = nil, occupation: Occupation? = nil,
        phone: PhoneNumber? = nil, language: Language? = nil,
        consents: Accounts.Consents = .init(healthData: true, position: true)
    ) {
        self.name = name
        self.surname = surname
        self.birthDate = birthDate
        self.fiscalCode = fiscalCode
        self.email = email
        self.password = password
        self.termsVersion = termsVersion
        self.residence = residence
        self.occupation = occupation
        self.phone = phone
        self.language = language
        self.consents = consents
    }
}

/// What a third party or organiser fills in.
public struct CompanyForm: Codable, Sendable {
    public var companyName: String
    public var vatNumber: VATNumber
    public var email: EmailAddress
    public var password: String
    public var termsVersion: String
    public var language: Language?

    public init(
        companyName: String, vatNumber: VATNumber, email: EmailAddress, password: String, termsVersion: String,
        language: Language? = nil
    ) {
        self.companyName = companyName
        self.vatNumber = vatNumber
        self.email = email
        self.password = password
        self.termsVersion = termsVersion
        self.language = language
    }
}

/// The answer to a log-in.
public struct Tokens: Decodable, Sendable {
    public struct Account: Decodable, Sendable {
        public var id: UUID
        public var kind: AccountKind
    }
    public var accessToken: String
    public var refreshToken: String
    public var account: Account
}

/// What a device is given to be paired.
public struct Pairing: Decodable, Sendable {
    public var pairingID: UUID
    /// The six digits that it shows.
    public var code: String
    public var claimSecret: String
}

/// What a paired device authenticates with.
public struct DeviceSecret: Decodable, Sendable {
    public var deviceID: UUID
    public var deviceSecret: String
}

/// A device as its owner sees it.
public struct PairedDevice: Decodable, Sendable {
    public var deviceID: UUID
    /// What it can measure.
    public var offeredTypes: [DataType]
}

/// What a third party's program authenticates with.
public struct ClientSecret: Decodable, Sendable {
    public var clientID: UUID
    public var clientSecret: String
}

/// A program as its third party sees it.
public struct ListedClient: Decodable, Sendable {
    public var clientID: UUID
    public var name: String
}

/// What tells how far an erasure is.
public struct ErasureBegun: Decodable, Sendable {
    public var erasureID: UUID
    public var receiptToken: String
}

public struct ErasureReceipt: Decodable, Sendable {
    public struct Part: Decodable, Sendable {
        public var service: String
        public var erasedAt: Timestamp?
        public var items: [Accounts.ErasedItem]
    }
    public var completedAt: Timestamp?
    public var services: [Part]

    /// The lines of a service by what they tell of.
    public func items(of service: ServiceName) -> [String: Accounts.ErasedItem] {
        let items = services.first { $0.service == service.rawValue }?.items ?? []
        return Dictionary(items.map { ($0.what, $0) }) { first, _ in first }
    }
}

/// An export of everything that there is about somebody.
public struct Export: Decodable, Sendable {
    public var exportID: UUID
    /// `ready` when the archive can be fetched.
    public var state: String
}

/// A message in an inbox.
public struct InboxMessage: Decodable, Sendable {
    public var id: UUID
    public var subject: String
    public var text: String
    public var template: String
}

extension API {
    /// The terms in force today, accepted by whoever the suite registers.
    public static let termsVersion = "2026-01"

    private struct Registered: Decodable {
        var accountID: UUID
    }

    /// The new account, which still has to be confirmed.
    public func register(_ form: IndividualForm) async throws(SuiteError) -> UUID {
        try await call(.post, .accounts, "/individuals", form, as: Registered.self).accountID
    }

    public func register(_ form: CompanyForm, as kind: AccountKind) async throws(SuiteError) -> UUID {
        let path = kind == .thirdParty ? "/third-parties" : "/organisers"
        return try await call(.post, .accounts, path, form, as: Registered.self).accountID
    }

    /// Sends the token of a link as the page does that the link leads to.
    public func confirm(link: String) async throws(SuiteError) {
        guard let found = link.firstRange(of: "/confirm#") else {
            throw .unexpected("The link \(link) does not lead to the page that confirms.")
        }
        try await perform(.post, .accounts, "/confirmations/confirm", ["token": String(link[found.upperBound...])])
    }

    public func sendConfirmationAgain(to email: EmailAddress) async throws(SuiteError) {
        try await perform(.post, .accounts, "/confirmations", ["email": email])
    }

    public func logIn(_ login: String, password: String, kind: AccountKind? = nil) async throws(SuiteError) -> Tokens {
        struct Form: Encodable {
            var login: String
            var password: String
            var kind: AccountKind?
        }
        return try await call(.post, .accounts, "/sessions", Form(login: login, password: password, kind: kind))
    }

    /// As a device.
    public func openPairing(name: String, types: [DataType]) async throws(SuiteError) -> Pairing {
        struct Form: Encodable {
            var name: String
            var dataTypes: [DataType]
        }
        return try await call(.post, .accounts, "/pairings", Form(name: name, dataTypes: types))
    }

    /// As the individual who reads the six digits from the device.
    public func acceptPairing(code: String) async throws(SuiteError) -> UUID {
        struct Device: Decodable {
            var deviceID: UUID
        }
        return try await call(.post, .accounts, "/devices", ["code": code], as: Device.self).deviceID
    }

    /// As an individual.
    public func devices() async throws(SuiteError) -> [PairedDevice] {
        struct List: Decodable { var devices: [PairedDevice] }
        return try await call(.get, .accounts, "/devices", as: List.self).devices
    }

    /// As the device, once it was accepted.
    public func claim(_ pairing: Pairing) async throws(SuiteError) -> DeviceSecret {
        try await call(
            .post, .accounts, "/pairings/\(pairing.pairingID)/claim", ["claim_secret": pairing.claimSecret])
    }

    /// As a third party.
    public func createClient(name: String, scopes: [String]) async throws(SuiteError) -> ClientSecret {
        struct Form: Encodable {
            var name: String
            var scopes: [String]
        }
        return try await call(.post, .accounts, "/clients", Form(name: name, scopes: scopes))
    }

    /// As a third party: its programs.
    public func clients() async throws(SuiteError) -> [ListedClient] {
        struct List: Decodable { var clients: [ListedClient] }
        return try await call(.get, .accounts, "/clients", as: List.self).clients
    }

    /// As a third party.
    public func removeClient(_ id: UUID) async throws(SuiteError) {
        try await perform(.delete, .accounts, "/clients/\(id)")
    }

    /// An access token for a device (`kind` "device") or a program ("client"), by OAuth 2.0 client credentials.
    public func grantToken(_ kind: String, id: UUID, secret: String) async throws(SuiteError) -> String {
        struct Grant: Decodable {
            var accessToken: String
        }
        var request = try request(.post, .accounts, "/oauth/token")
        request.fields["Content-Type"] = MediaType.form.description
        request.body = Array(
            ("grant_type=client_credentials&\(kind)_id=\(id)&\(kind)_secret=\(PercentEncoding.encode(secret))").utf8)
        let response = try await send(request)
        do throws(HTTPClientError) { return try response.json(Grant.self).accessToken } catch {
            throw .unexpected("The answer to the grant of a token is not of RFC 6749: \(error)")
        }
    }

    /// As whoever leaves, or wants the collected data gone.
    public func erase(
        _ scope: Accounts.Erasure.Scope = .account, password: String
    ) async throws(SuiteError) -> ErasureBegun {
        try await call(.post, .accounts, "/me/erasures", ["password": password, "scope": scope.rawValue])
    }

    /// As whoever has the token.
    public func erasureReceipt(_ token: String) async throws(SuiteError) -> ErasureReceipt {
        try await call(.post, .accounts, "/erasure-receipts", ["token": token])
    }

    /// As whoever wants to take everything along.
    public func beginExport() async throws(SuiteError) -> Export { try await call(.post, .accounts, "/me/exports") }

    public func exports() async throws(SuiteError) -> [Export] {
        struct List: Decodable { var exports: [Export] }
        return try await call(.get, .accounts, "/me/exports", as: List.self).exports
    }

    /// The archive, a ZIP file.
    public func exportArchive(_ id: UUID, password: String) async throws(SuiteError) -> [UInt8] {
        try await send(try request(.post, .accounts, "/me/exports/\(id)/archive", ["password": password])).body
    }

    /// As an individual: pauses the collection of health data, or goes on with it.
    public func pauseHealthData(_ isPaused: Bool) async throws(SuiteError) {
        try await perform(.patch, .accounts, "/me/collection", ["health": ["is_paused": isPaused]])
    }

    public func inbox() async throws(SuiteError) -> [InboxMessage] {
        struct Page: Decodable { var messages: [InboxMessage] }
        return try await call(.get, .accounts, "/inbox", as: Page.self).messages
    }
}
