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

    public var clausesVersion: String
    public var callbackPhone: PhoneNumber
    public var contacts: [Contact]
    public var conditions: String?
    public var medication: String?
    public var addressNotes: String?

    public init(
        clausesVersion: String, callbackPhone: PhoneNumber, contacts: [Contact], conditions: String? = nil,
        medication: String? = nil, addressNotes: String? = nil
    ) {
        self.clausesVersion = clausesVersion
        self.callbackPhone = callbackPhone
        self.contacts = contacts
        self.conditions = conditions
        self.medication = medication
        self.addressNotes = addressNotes
    }
}

/// An incident as the person sees it.
public struct IncidentView: Decodable, Sendable {
    public var id: UUID
    public var state: String
}

extension API {
    public func enrol(_ form: EnrolmentForm) async throws(SuiteError) {
        try await perform(.put, .dispatcher, "/enrolment", form)
    }

    public func endEnrolment() async throws(SuiteError) {
        try await perform(.delete, .dispatcher, "/enrolment")
    }

    public func incidents() async throws(SuiteError) -> [IncidentView] {
        struct Page: Decodable { var incidents: [IncidentView] }
        return try await call(.get, .dispatcher, "/incidents", as: Page.self).incidents
    }
}
