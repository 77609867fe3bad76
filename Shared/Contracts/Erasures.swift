public import Domain
public import Primitives
public import RPC

/// Erasures (ACC-12): accounts tells what is to be erased, each service does its part and reports what it was.
extension Accounts {
    /// Feed `accounts.erasures`: entity is the account, the only kind is `erasure`, payload `Erasure`. It is told again while a
    /// service has not reported. A snapshot has all erasures that ever were: whoever was restored from a backup erases
    /// what came back with it.
    public static let erasuresFeed = "accounts.erasures"
    public static let erasureKind = "erasure"

    public struct Erasure: Codable, Sendable, Hashable {
        public enum Scope: String, Codable, Sendable, CaseIterable {
            /// The account with all that belongs to it.
            case account
            /// What was collected of an individual; the account stays.
            case collectedData = "collected-data"
        }
        public var erasureID: UUID
        public var accountID: UUID
        public var kind: AccountKind
        public var scope: Scope
        public var requestedAt: Timestamp
        public init(
            erasureID: UUID, accountID: UUID, kind: AccountKind, scope: Scope, requestedAt: Timestamp
        ) {
            self.erasureID = erasureID
            self.accountID = accountID
            self.kind = kind
            self.scope = scope
            self.requestedAt = requestedAt
        }
    }

    /// A line of the receipt: how many of what were erased, or are kept on what ground and until when.
    public struct ErasedItem: Codable, Sendable, Hashable {
        /// On what ground something may be kept (GDPR 17(3)).
        public enum Ground: String, Codable, Sendable, CaseIterable {
            /// What was measured in an emergency, and who was called: public health and legal claims (17(3)(c) and (e)).
            case emergencyRecord = "emergency-record"
            /// Who received whose data belongs to those people's own history (17(3)(b)).
            case othersHistory = "others-history"
            /// Searches are kept under keyed hashes, against guessing (17(3)(b)).
            case abuseRecord = "abuse-record"
            /// Invoices and their payments: accounting records (17(3)(b)).
            case accountingRecord = "accounting-record"
        }
        /// Lower-case words with hyphens: `samples`, `devices`.
        public var what: String
        public var count: Int
        /// For what is kept: the last day.
        public var keptUntil: CalendarDate?
        public var ground: Ground?
        public init(_ what: String, _ count: Int, keptUntil: CalendarDate? = nil, ground: Ground? = nil) {
            self.what = what
            self.count = count
            self.keptUntil = keptUntil
            self.ground = ground
        }
    }

    /// Tells accounts that the calling service has done its part of an erasure; repeated until it is answered. The first
    /// report of a service counts. Errors: `not_found`, `invalid_params`.
    public enum ReportErasure: RPCMethod {
        public static let itemsMax = 32
        public struct Params: Codable, Sendable {
            public var erasureID: UUID
            public var items: [ErasedItem]
            public var erasedAt: Timestamp
            public init(erasureID: UUID, items: [ErasedItem], erasedAt: Timestamp) {
                self.erasureID = erasureID
                self.items = items
                self.erasedAt = erasedAt
            }
        }
        public typealias Result = Empty
        public static let name = "accounts.report_erasure"
        public static let isIdempotent = true
    }
}

/// The erasures that a service has done, for accounts alone: after accounts was restored from a backup it asks all for those
/// that it has lost.
public enum KnownErasures {
    public static let pageMax = 500

    public struct Params: Codable, Sendable {
        /// The `next` of the answer before.
        public var after: UUID?
        public init(after: UUID? = nil) { self.after = after }
    }

    public struct Page: Codable, Sendable {
        /// By id; at most `pageMax`.
        public var erasures: [Accounts.Erasure]
        /// What to ask for next; `nil` after the last page.
        public var next: UUID?
        public init(erasures: [Accounts.Erasure], next: UUID?) {
            self.erasures = erasures
            self.next = next
        }
    }
}

/// The method of a service. Idempotent; for accounts alone.
public protocol KnownErasuresMethod: RPCMethod where Params == KnownErasures.Params, Result == KnownErasures.Page {}

extension Ingestion {
    public enum KnownErasures: KnownErasuresMethod {
        public typealias Params = Contracts.KnownErasures.Params
        public typealias Result = Contracts.KnownErasures.Page
        public static let name = "ingestion.erasures"
        public static let isIdempotent = true
    }
}

extension Query {
    public enum KnownErasures: KnownErasuresMethod {
        public typealias Params = Contracts.KnownErasures.Params
        public typealias Result = Contracts.KnownErasures.Page
        public static let name = "query.erasures"
        public static let isIdempotent = true
    }
}

extension Dispatcher {
    public enum KnownErasures: KnownErasuresMethod {
        public typealias Params = Contracts.KnownErasures.Params
        public typealias Result = Contracts.KnownErasures.Page
        public static let name = "dispatcher.erasures"
        public static let isIdempotent = true
    }
}

extension Track4Run {
    public enum KnownErasures: KnownErasuresMethod {
        public typealias Params = Contracts.KnownErasures.Params
        public typealias Result = Contracts.KnownErasures.Page
        public static let name = "track4run.erasures"
        public static let isIdempotent = true
    }
}
