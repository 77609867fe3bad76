public import Domain
public import Primitives
public import RPC

extension Ingestion {
    /// What `Read` answers, of many people at once and without waiting: for whoever is told of arrivals (`liveFeed`). What
    /// arrived lately of all of them costs little more than of one; a cursor within a pass through older samples is read on
    /// alone. For the query service. Errors: `invalid_params`.
    public enum ReadMany: RPCMethod {
        public static let readsMax = 500
        public static let samplesMax = 20_000

        /// As `Read.Params`. The same person may be read for several.
        public struct Item: Codable, Sendable {
            public var accountID: UUID
            public var types: [DataType]
            public var from: Timestamp
            public var to: Timestamp
            public var after: ReadCursor
            public var limit: Int
            public var reason: ReadReason
            public init(
                accountID: UUID, types: [DataType], from: Timestamp, to: Timestamp, after: ReadCursor, limit: Int,
                reason: ReadReason
            ) {
                self.accountID = accountID
                self.types = types
                self.from = from
                self.to = to
                self.after = after
                self.limit = limit
                self.reason = reason
            }
        }

        public struct Params: Codable, Sendable {
            /// 1 to `readsMax`.
            public var reads: [Item]
            /// Samples of all answers together, about: whole uploads are never split. 1 to `samplesMax`. For those that come
            /// behind it nothing is read, and `hasMore` says so.
            public var limit: Int
            public init(reads: [Item], limit: Int = samplesMax) {
                self.reads = reads
                self.limit = limit
            }
        }

        public enum Outcome: String, Codable, Sendable {
            case read
            /// Nothing is stored for this account.
            case nothing
            /// This one could not be read now. `Read` says why.
            case failed
        }

        public struct Answer: Codable, Sendable {
            public var outcome: Outcome
            /// Empty, and the cursor as it was, unless it was read.
            public var series: [SampleSeries]
            public var next: ReadCursor
            public var hasMore: Bool
            public init(outcome: Outcome, series: [SampleSeries] = [], next: ReadCursor, hasMore: Bool = false) {
                self.outcome = outcome
                self.series = series
                self.next = next
                self.hasMore = hasMore
            }
        }

        public struct Result: Codable, Sendable {
            /// In the order of the reads.
            public var answers: [Answer]
            public init(answers: [Answer]) { self.answers = answers }
        }
        public static let name = "ingestion.read_many"
        public static let isIdempotent = true
    }

    /// The cursor after everything that is stored of a person now, for whoever wants only what comes later. Of somebody
    /// unknown it is the beginning. For the query service.
    public enum ReadEnd: RPCMethod {
        public struct Params: Codable, Sendable {
            public var accountID: UUID
            public init(accountID: UUID) { self.accountID = accountID }
        }
        public struct Result: Codable, Sendable {
            public var next: ReadCursor
            public init(next: ReadCursor) { self.next = next }
        }
        public static let name = "ingestion.read_end"
        public static let isIdempotent = true
    }
}
