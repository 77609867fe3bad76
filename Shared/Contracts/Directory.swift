public import Domain
public import Primitives
public import RPC

/// What other services are told of an account: each purpose has a method of its own with no more than it needs (NFR-05), for
/// the services that have that purpose. Every call is audited with `purpose` and the account that asks (NFR-06).
/// Errors of all: `not_found`, `invalid_params` without a purpose.
extension Accounts {
    public struct ReadParams: Codable, Sendable {
        public static let purposeBytesMax = 100

        public var accountID: UUID
        /// Why it is read, for the audit trail: "incident", "request", "run".
        public var purpose: String
        /// The account that asks, if it is another one, for the audit trail.
        public var onBehalfOf: UUID?
        public init(accountID: UUID, purpose: String, onBehalfOf: UUID? = nil) {
            self.accountID = accountID
            self.purpose = purpose
            self.onBehalfOf = onBehalfOf
        }
    }

    /// What an account is called where others see it: a company's name, or name and surname (RUN-03, REQ-03).
    public enum Name: RPCMethod {
        public typealias Params = ReadParams
        public struct Result: Codable, Sendable {
            public var kind: AccountKind
            public var name: String
            public init(kind: AccountKind, name: String) {
                self.kind = kind
                self.name = name
            }
        }
        public static let name = "accounts.name"
        public static let isIdempotent = true
    }

    /// Who asks an individual for data: what the individual sees of it.
    public enum Requester: RPCMethod {
        public typealias Params = ReadParams
        public struct Result: Codable, Sendable {
            public var kind: AccountKind
            public var name: String
            public var email: EmailAddress
            /// Of companies.
            public var vatNumber: VATNumber?
            public init(kind: AccountKind, name: String, email: EmailAddress, vatNumber: VATNumber? = nil) {
                self.kind = kind
                self.name = name
                self.email = email
                self.vatNumber = vatNumber
            }
        }
        public static let name = "accounts.requester"
        public static let isIdempotent = true
    }

    /// Who an individual is, for an ambulance service (SOS-07). `not_found` for others.
    public enum Identity: RPCMethod {
        public typealias Params = ReadParams
        public struct Result: Codable, Sendable {
            public var name: String
            public var surname: String
            public var fiscalCode: FiscalCode
            public var birthDate: CalendarDate
            public var sex: Sex
            public init(name: String, surname: String, fiscalCode: FiscalCode, birthDate: CalendarDate, sex: Sex) {
                self.name = name
                self.surname = surname
                self.fiscalCode = fiscalCode
                self.birthDate = birthDate
                self.sex = sex
            }
        }
        public static let name = "accounts.identity"
        public static let isIdempotent = true
    }

    /// What AutomatedSOS has to know of an individual who enrols: who it is, and what is measured (SOS-01). `not_found` for others.
    public enum Wearer: RPCMethod {
        public typealias Params = ReadParams
        public struct Result: Codable, Sendable {
            /// The date of birth is what the fiscal code tells, which lacks the century: that is the one of the date with which the person
            /// registered.
            public var identity: Identity.Result
            /// What the person's devices may provide, all together.
            public var deviceTypes: [DataType]
            /// Whether health data is collected: with consent, and not paused.
            public var collectsHealth: Bool
            /// The same of positions.
            public var collectsPosition: Bool
            public init(
                identity: Identity.Result, deviceTypes: [DataType], collectsHealth: Bool = true,
                collectsPosition: Bool = true
            ) {
                self.identity = identity
                self.deviceTypes = deviceTypes
                self.collectsHealth = collectsHealth
                self.collectsPosition = collectsPosition
            }
        }
        public static let name = "accounts.wearer"
        public static let isIdempotent = true
    }

    /// Which of these accounts of third parties are there and not suspended: nothing is sent to others (SUB-02). It tells nothing
    /// about anybody, and is not audited. No errors of its own.
    public enum Active: RPCMethod {
        /// In one call.
        public static let accountsMax = 1000

        public struct Params: Codable, Sendable {
            public var accountIDs: [UUID]
            public init(accountIDs: [UUID]) { self.accountIDs = accountIDs }
        }
        public struct Result: Codable, Sendable {
            public var accountIDs: [UUID]
            public init(accountIDs: [UUID]) { self.accountIDs = accountIDs }
        }
        public static let name = "accounts.active"
        public static let isIdempotent = true
    }
}
