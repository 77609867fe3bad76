public import Domain
public import JSON
public import Primitives
public import RPC

/// The methods and feeds of the accounts service.
public enum Accounts {
    /// The keys that access tokens are signed with, as a JSON Web Key Set (RFC 7517). For every service.
    public enum Keys: RPCMethod {
        public typealias Params = Empty
        public struct Result: Codable, Sendable {
            public var keySet: JSONRaw
            public init(keySet: JSONRaw) { self.keySet = keySet }
        }
        public static let name = "accounts.keys"
        public static let isIdempotent = true
    }

    /// The account of an individual, by exactly one of fiscal code and e-mail address (REQ-01, RUN-09). Every call is
    /// audited with `purpose` and the account that asks (REQ-02, NFR-06). Errors: `not_found` (REQ-02), `invalid_params`.
    public enum Find: RPCMethod {
        public struct Params: Codable, Sendable {
            public var fiscalCode: FiscalCode?
            public var email: EmailAddress?
            /// Why it is looked up, for the audit trail; "request" when it is not said.
            public var purpose: String?
            /// The account that asks, if one does, for the audit trail.
            public var onBehalfOf: UUID?
            public init(
                fiscalCode: FiscalCode? = nil, email: EmailAddress? = nil, purpose: String? = nil,
                onBehalfOf: UUID? = nil
            ) {
                self.fiscalCode = fiscalCode
                self.email = email
                self.purpose = purpose
                self.onBehalfOf = onBehalfOf
            }
        }
        public struct Result: Codable, Sendable {
            public var accountID: UUID
            public init(accountID: UUID) { self.accountID = accountID }
        }
        public static let name = "accounts.find"
        public static let isIdempotent = true
    }

    /// Puts a message into an account's inbox and, when `email` is true, sends it by mail, in the person's language
    /// (ACC-17, REQ-04). The same `id` again has no effect. Errors: `not_found` (the account), `invalid_params`
    /// (unknown template).
    public enum Notify: RPCMethod {
        public struct Params: Codable, Sendable {
            public var id: UUID
            public var accountID: UUID
            /// The name of a text in the accounts service's `Messages/`.
            public var template: String
            /// The values for its places, by name: at most `valuesMax` values of `valueBytesMax`.
            /// Times are in RFC 3339, data types by their names with commas between them: the reader gets them written out.
            public var values: [String: String]
            public var email: Bool
            public init(id: UUID, accountID: UUID, template: String, values: [String: String], email: Bool) {
                self.id = id
                self.accountID = accountID
                self.template = template
                self.values = values
                self.email = email
            }
        }
        public typealias Result = Empty
        public static let valuesMax = 32
        /// In UTF-8.
        public static let valueBytesMax = 4096
        /// The name of a value that is a device's id: accounts fills the place `device` with its name. The message of a device
        /// that was removed meanwhile is dropped.
        public static let deviceValue = "device_id"
        public static let name = "accounts.notify"
        public static let isIdempotent = true
    }

    /// Sends a mail to an address of nobody who has an account: an emergency contact (SOS-09), an operator. Only templates that
    /// are made for it; the texts come from the caller, in the reader's language. The same `id` again has no effect. Errors:
    /// `invalid_params` (unknown template).
    public enum Mail: RPCMethod {
        public struct Params: Codable, Sendable {
            public var id: UUID
            public var address: EmailAddress
            public var language: Language
            /// The name of a text in the accounts service's `Messages/` that may go to whoever has no account.
            public var template: String
            /// As those of `Notify`.
            public var values: [String: String]
            public init(
                id: UUID, address: EmailAddress, language: Language, template: String, values: [String: String]
            ) {
                self.id = id
                self.address = address
                self.language = language
                self.template = template
                self.values = values
            }
        }
        public typealias Result = Empty
        public static let name = "accounts.mail"
        public static let isIdempotent = true
    }

    /// What an individual consents to, beyond the terms: each by itself (GDPR 7, 9).
    public struct Consents: Codable, Sendable, Hashable {
        /// That what the devices measure of the body is collected: every data type but positions.
        public var healthData: Bool
        /// That positions are collected.
        public var position: Bool
        public init(healthData: Bool, position: Bool) {
            self.healthData = healthData
            self.position = position
        }
    }

    /// Creates individuals in batches, without passwords, each with one device: for migrations and simulated people.
    /// For the operator's and simulator's certificates, where the configuration names them. At most 500 a call. All of
    /// them are created, or none. For people whom a call with the same `population` created, and who have not been
    /// changed since, the answer is repeated, so that the call can be. Audited for each person (NFR-06).
    /// Errors: `conflict` (somebody exists already), `invalid_params`, `not_allowed`.
    public enum Provision: RPCMethod {
        public static let peopleMax = 500
        public struct Person: Codable, Sendable {
            public var name: String
            public var surname: String
            public var birthDate: CalendarDate
            public var fiscalCode: FiscalCode
            public var email: EmailAddress
            public var residence: BelfioreCode?
            public var occupation: Occupation?
            /// What the person's device provides.
            public var dataTypes: [DataType]
            /// What the person has consented to, as the caller can prove; nothing when it is not said.
            public var consents: Consents?
            public init(
                name: String, surname: String, birthDate: CalendarDate, fiscalCode: FiscalCode, email: EmailAddress,
                residence: BelfioreCode?, occupation: Occupation?, dataTypes: [DataType], consents: Consents? = nil
            ) {
                self.name = name
                self.surname = surname
                self.birthDate = birthDate
                self.fiscalCode = fiscalCode
                self.email = email
                self.residence = residence
                self.occupation = occupation
                self.dataTypes = dataTypes
                self.consents = consents
            }
        }
        /// Bytes of a population's secret.
        public static let populationBytes = 32...128
        public struct Params: Codable, Sendable {
            /// A secret of the caller: only a call with the same one gets an answer for these people again.
            public var population: String
            public var people: [Person]
            /// Whether each of them gets a mail with a link for choosing a password; false when it is not said.
            public var invite: Bool?
            /// Whether each gets an access token for the device; true when it is not said. Who brings many people over in advance has
            /// no use for tokens of 15 minutes, which cost a signature each.
            public var tokens: Bool?
            public init(population: String, people: [Person], invite: Bool? = nil, tokens: Bool? = nil) {
                self.population = population
                self.people = people
                self.invite = invite
                self.tokens = tokens
            }
        }
        public struct Provisioned: Codable, Sendable {
            public var accountID: UUID
            public var deviceID: UUID
            /// A device's access token, good for the usual 15 minutes; `nil` when none was asked for.
            public var accessToken: String?
            public init(accountID: UUID, deviceID: UUID, accessToken: String?) {
                self.accountID = accountID
                self.deviceID = deviceID
                self.accessToken = accessToken
            }
        }
        public struct Result: Codable, Sendable {
            /// In the order of the call.
            public var people: [Provisioned]
            public init(people: [Provisioned]) { self.people = people }
        }
        public static let name = "accounts.provision"
        public static let isIdempotent = true
    }

    /// Opens group requests to a third party, or closes them again: only the tokens of one that is admitted have the scope
    /// `groups`, and all its tokens are revoked when that ends. For the operator's certificate, and for clients that may
    /// provision. By exactly one of VAT number and e-mail address. The same again has no effect. Every call is audited, with
    /// `reason` as its purpose (NFR-06). Errors: `not_found` (no such third party, or not confirmed), `invalid_params`.
    public enum Admit: RPCMethod {
        public struct Params: Codable, Sendable {
            public var vatNumber: VATNumber?
            public var email: EmailAddress?
            /// Whether it may ask from now on.
            public var isAdmitted: Bool
            /// Why, in at most 100 bytes.
            public var reason: String
            public init(
                vatNumber: VATNumber? = nil, email: EmailAddress? = nil, isAdmitted: Bool = true, reason: String
            ) {
                self.vatNumber = vatNumber
                self.email = email
                self.isAdmitted = isAdmitted
                self.reason = reason
            }
        }
        public struct Result: Codable, Sendable {
            public var accountID: UUID
            public init(accountID: UUID) { self.accountID = accountID }
        }
        public static let name = "accounts.admit"
        public static let isIdempotent = true
    }

    /// Suspends an account, or restores it: without log-in, sessions and programs, and its owner is told by mail, with the reason. A
    /// person's devices go on, and AutomatedSOS with them. For the operator's certificate alone. The same again has no effect.
    /// Every call is audited, with `reason` as its purpose (NFR-06). Errors: `not_found` (no such account, or not confirmed),
    /// `invalid_params`.
    public enum Suspend: RPCMethod {
        public struct Params: Codable, Sendable {
            public var email: EmailAddress
            /// A company's accounts of two kinds may share an address.
            public var kind: AccountKind
            /// Whether it is suspended from now on.
            public var isSuspended: Bool
            /// Why, in at most 100 bytes; the owner reads it.
            public var reason: String
            public init(email: EmailAddress, kind: AccountKind, isSuspended: Bool = true, reason: String) {
                self.email = email
                self.kind = kind
                self.isSuspended = isSuspended
                self.reason = reason
            }
        }
        public struct Result: Codable, Sendable {
            public var accountID: UUID
            public init(accountID: UUID) { self.accountID = accountID }
        }
        public static let name = "accounts.suspend"
        public static let isIdempotent = true
    }

    /// Feed `accounts.changes`, for ingestion, since it holds the subject numbers of accounts (GRP-09); the dispatcher is told
    /// without payloads of whom something has changed. The entity is the account. Kinds and payloads:
    /// - `account` (`AccountChange`): an account was confirmed, or what `PersonDetails` has of it changed;
    /// - `device` (`DeviceChange`): a device was paired, changed or removed.
    public static let changesFeed = "accounts.changes"
    public static let accountChangeKind = "account"

    public struct AccountChange: Codable, Sendable {
        public var accountID: UUID
        public var kind: AccountKind
        /// The number that the person has in the anonymous store; individuals only. Never given to the query service.
        public var subject: Int32?
        /// Groups of types that are not collected at the moment, paused or not consented to (ING-14); empty: all are collected.
        /// Absent where the change says nothing of it: what was known before then holds on.
        public var paused: [String]?
        /// As it is when the event is read, which may be later than the change: it does not rest in the feed. Absent for
        /// companies, for accounts that are no more, and where a profile cannot be read; what was known before then holds on.
        public var person: PersonDetails?
        public init(
            accountID: UUID, kind: AccountKind, subject: Int32?, paused: [String]? = nil,
            person: PersonDetails? = nil
        ) {
            self.accountID = accountID
            self.kind = kind
            self.subject = subject
            self.paused = paused
            self.person = person
        }
    }

    /// What My Health has to know of a person: local days, language of the report, ranges for age and sex, and which
    /// source counts.
    public struct PersonDetails: Codable, Sendable, Hashable {
        /// Where the person lives: for samples whose device tells no offset.
        public var zone: TimeZoneName
        public var language: Language
        public var birthDate: CalendarDate
        public var sex: Sex
        /// At most one per data type, in the order of the types' numbers; types that are not named follow the usual order.
        public var preferredSources: [SourcePreference]
        /// The devices that have taken others' places, each followed by those, the last first: what they have measured counts in
        /// the same place; also of devices that were removed since. `nil`: none.
        public var replacements: [[UUID]]?
        public init(
            zone: TimeZoneName = .rome, language: Language, birthDate: CalendarDate, sex: Sex,
            preferredSources: [SourcePreference] = [], replacements: [[UUID]]? = nil
        ) {
            self.zone = zone
            self.language = language
            self.birthDate = birthDate
            self.sex = sex
            self.preferredSources = preferredSources
            self.replacements = replacements
        }
    }

    public struct DeviceChange: Codable, Sendable {
        public var deviceID: UUID
        public var accountID: UUID
        /// Empty when the device is removed.
        public var dataTypes: [DataType]
        public var isRemoved: Bool
        public init(deviceID: UUID, accountID: UUID, dataTypes: [DataType], isRemoved: Bool) {
            self.deviceID = deviceID
            self.accountID = accountID
            self.dataTypes = dataTypes
            self.isRemoved = isRemoved
        }
    }

    /// Feed `accounts.revocations`, for services that check access tokens (ACC-15, ACC-16): entity is what was revoked,
    /// the only kind is `revoked`, payload `Revocation`. The snapshot has the revocations of the last 20 minutes, which
    /// is longer than an access token lives, and those of devices and accounts of the last 72 hours and 20 minutes, as long
    /// as a device's token may serve (`TokenTrust`). A consumer that cannot read an event must assume that it revokes any
    /// token.
    public static let revocationsFeed = "accounts.revocations"

    public struct Revocation: Codable, Sendable {
        public enum Kind: String, Codable, Sendable {
            /// A session, device or third party's client, as tokens name it in `sid`. It never gets tokens again.
            case session
            /// All tokens of an account that were issued up to `revokedAt`.
            case account
        }
        public var kind: Kind
        public var id: UUID
        public var revokedAt: Timestamp
        /// Of kind `session`: a device's.
        public var isOfDevice: Bool?
        public init(kind: Kind, id: UUID, revokedAt: Timestamp, isOfDevice: Bool? = nil) {
            self.kind = kind
            self.id = id
            self.revokedAt = revokedAt
            self.isOfDevice = isOfDevice
        }
    }

    /// Feed `accounts.profiles`, for the anonymous store: entity is derived from the subject number, never from the
    /// account. Kind `profile`, payload `CoarseProfile`; kind `erased`, payload `{"subject": n}`: profile and values are to go. A
    /// snapshot has both; of a number that it lacks the profile is unknown.
    public static let profilesFeed = "accounts.profiles"

    public struct CoarseProfile: Codable, Sendable {
        public var subject: Int32
        public var birthYear: Int
        public var sex: Sex
        public var residence: BelfioreCode?
        public var birthplace: BelfioreCode
        public var occupation: Occupation?
        public init(
            subject: Int32, birthYear: Int, sex: Sex, residence: BelfioreCode?, birthplace: BelfioreCode,
            occupation: Occupation?
        ) {
            self.subject = subject
            self.birthYear = birthYear
            self.sex = sex
            self.residence = residence
            self.birthplace = birthplace
            self.occupation = occupation
        }
    }
}
