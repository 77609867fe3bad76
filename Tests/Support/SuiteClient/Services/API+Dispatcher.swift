import Contracts
public import Domain
import HTTP
public import Primitives

/// What somebody fills in to be watched by AutomatedSOS.
public struct EnrolmentForm: Encodable, Sendable {
    public struct Contact: Encodable, Sendable {
        public var name: String
        public var phone: PhoneNumber
        public var email: EmailAddress
        public init(name: String, phone: PhoneNumber, email: EmailAddress) {
            self.name = name
            self.phone = phone
            self.email = email
        }
    }

    public struct Address: Encodable, Sendable {
        public var street: String
        public var postalCode: String
        public var city: String
        public init(street: String, postalCode: String, city: String) {
            self.street = street
            self.postalCode = postalCode
            self.city = city
        }
    }

    public var clausesVersion: String
    public var grantsEmergencyCalls = true
    public var callbackPhone: PhoneNumber
    public var contacts: [Contact]
    public var conditions: String?
    public var medication: String?
    public var address: Address?
    public var addressNotes: String?
    /// Of 30 days, where they cost something.
    public var acceptsPrice: WatchingPrice?

    public init(
        clausesVersion: String, callbackPhone: PhoneNumber, contacts: [Contact], conditions: String? = nil,
        medication: String? = nil, address: Address? = nil, addressNotes: String? = nil
    ) {
        self.clausesVersion = clausesVersion
        self.callbackPhone = callbackPhone
        self.contacts = contacts
        self.conditions = conditions
        self.medication = medication
        self.address = address
        self.addressNotes = addressNotes
    }
}

public struct WatchingPrice: Codable, Sendable {
    /// Hundredths of the currency.
    public var amount: Int64
    public var currency: String
}

/// An incident as the person sees it.
public struct IncidentView: Decodable, Sendable {
    public var id: UUID
    public var state: String
}

extension API {
    /// As a device: a false alarm.
    public func callOff(_ incident: UUID) async throws(SuiteError) {
        try await perform(.post, .dispatcher, "/device/incidents/\(incident)/false-alarm")
    }

    /// As a device: the SOS button.
    public func callForHelp(_ id: UUID) async throws(SuiteError) {
        struct Call: Encodable { var id: UUID }
        try await perform(.post, .dispatcher, "/device/sos", Call(id: id))
    }

    /// At the price that there is, if any.
    public func enrol(_ form: EnrolmentForm) async throws(SuiteError) {
        var form = form
        form.acceptsPrice = try await watchingPrice()
        try await perform(.put, .dispatcher, "/enrolment", form)
    }

    private func watchingPrice() async throws(SuiteError) -> WatchingPrice? {
        let response = try await send(try request(.get, .dispatcher, "/price"))
        guard response.status != .noContent else { return nil }
        do throws(HTTPClientError) { return try response.json() } catch {
            throw .unexpected("the price of AutomatedSOS was answered with something else than expected: \(error)")
        }
    }

    public func endEnrolment() async throws(SuiteError) {
        try await perform(.delete, .dispatcher, "/enrolment")
    }

    public func incidents() async throws(SuiteError) -> [IncidentView] {
        struct Page: Decodable { var incidents: [IncidentView] }
        return try await call(.get, .dispatcher, "/incidents", as: Page.self).incidents
    }
}
