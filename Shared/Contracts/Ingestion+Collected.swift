public import Domain
public import Primitives
public import RPC

extension Ingestion {
    /// Of which data types something may still come of people: all but those that are not collected, since the person has paused
    /// them or does not consent (ING-14), and those that a device has provided and none provides any more, since it was removed or
    /// may not (ACC-14). What never came from a device (files, entries by hand) counts as coming as long as it is collected. It says
    /// nothing of when anything was measured. For the query service (SUB-04), which is told whose answer may be another one now
    /// (`liveCollectionKind`). Errors: `invalid_params`.
    public enum Collected: RPCMethod {
        public static let peopleMax = 500

        public struct Params: Codable, Sendable {
            /// 1 to `peopleMax`.
            public var accountIDs: [UUID]
            public init(accountIDs: [UUID]) { self.accountIDs = accountIDs }
        }

        public struct Person: Codable, Sendable, Equatable {
            public var accountID: UUID
            public var types: [DataType]
            public init(accountID: UUID, types: [DataType]) {
                self.accountID = accountID
                self.types = types
            }
        }

        public struct Result: Codable, Sendable {
            /// Of who is not known here all types. Those are missing whose shard cannot be read now.
            public var people: [Person]
            public init(people: [Person]) { self.people = people }
        }
        public static let name = "ingestion.collected"
        public static let isIdempotent = true
    }

    /// In `liveFeed`, for a service that is told of arrivals alone: the answer of `Collected` about a person may be another one
    /// than before. Also when the watch begins or changes. The payload is empty.
    public static let liveCollectionKind = "collection"
}
