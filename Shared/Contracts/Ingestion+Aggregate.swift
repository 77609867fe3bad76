public import Domain
public import Primitives
public import RPC

extension Ingestion {
    /// How a person's samples are summed up for third parties (SUB-01). Minutes are those of UTC; hours those of the wall clock
    /// where the person was; days, and weeks from Monday, the person's local ones.
    public enum Granularity: String, Codable, Sendable, CaseIterable {
        case minute, hour, day, week
    }

    /// What counts of a person's samples, summed up by buckets as in the person's own views: rates as means that weigh readings by how
    /// long they held, counters as sums, states as the time in each; of several sources one for each hour (of sleep: for each
    /// local day). Positions are never summed up, and left out.
    ///
    /// Only buckets that lie in the period as a whole are given, and of these only those that all their samples were measured in: a local
    /// day with hours that were measured in another zone and outside of the period is left out, and so is a bucket with sleep that
    /// began before it. Of other intervals the part that lies in the bucket counts, in proportion.
    ///
    /// For the query service, which checks consent after this answer, as with `Read`. Errors: `not_found` (no such person here),
    /// `overloaded`, `invalid_params`.
    public enum Aggregate: RPCMethod {
        /// Of all data types together.
        public static let bucketsMax = 5000

        public struct Params: Codable, Sendable {
            public var accountID: UUID
            public var types: [DataType]
            public var granularity: Granularity
            /// Only what was measured from here …
            public var from: Timestamp
            /// … to before here.
            public var to: Timestamp
            /// Of these only buckets that start here or later (the `next` of the answer before) …
            public var startFrom: Timestamp?
            /// … and before here.
            public var startTo: Timestamp?
            /// Buckets in one answer: as many as there are data types at least, `bucketsMax` at most.
            public var limit: Int
            public var reason: ReadReason
            public init(
                accountID: UUID, types: [DataType], granularity: Granularity, from: Timestamp, to: Timestamp,
                startFrom: Timestamp? = nil, startTo: Timestamp? = nil, limit: Int = bucketsMax,
                reason: ReadReason
            ) {
                self.accountID = accountID
                self.types = types
                self.granularity = granularity
                self.from = from
                self.to = to
                self.startFrom = startFrom
                self.startTo = startTo
                self.limit = limit
                self.reason = reason
            }
        }

        public struct StateTime: Codable, Sendable, Hashable {
            public var state: Int64
            public var seconds: Double
            public init(state: Int64, seconds: Double) {
                self.state = state
                self.seconds = seconds
            }
        }

        public struct Bucket: Codable, Sendable, Hashable {
            public var start: Timestamp
            public var end: Timestamp
            /// Samples that begin in it (of sleep: that end in it); 0 where only intervals from before reach into it.
            public var count: Int
            /// Of rates.
            public var mean: Double?
            /// Of rates: of the samples that are counted.
            public var min: Double?
            public var max: Double?
            /// Of counters.
            public var sum: Double?
            /// Of states, by their numbers.
            public var states: [StateTime]?
            public init(
                start: Timestamp, end: Timestamp, count: Int, mean: Double? = nil, min: Double? = nil,
                max: Double? = nil, sum: Double? = nil, states: [StateTime]? = nil
            ) {
                self.start = start
                self.end = end
                self.count = count
                self.mean = mean
                self.min = min
                self.max = max
                self.sum = sum
                self.states = states
            }
        }

        public struct Series: Codable, Sendable, Hashable {
            public var type: DataType
            /// The canonical one.
            public var unit: String
            /// In the order of time; there are none without values.
            public var buckets: [Bucket]
            public init(type: DataType, unit: String, buckets: [Bucket]) {
                self.type = type
                self.unit = unit
                self.buckets = buckets
            }
        }

        public struct Result: Codable, Sendable {
            /// Of data types with any, in the order of their numbers.
            public var series: [Series]
            /// All buckets that start before here are given, of all data types; the next answer has those from here on (`startFrom`).
            /// `nil` at the end. There may be more when this answer has none.
            public var next: Timestamp?
            public init(series: [Series], next: Timestamp?) {
                self.series = series
                self.next = next
            }
        }
        public static let name = "ingestion.aggregate"
        public static let isIdempotent = true
    }

    /// Which buckets of `Aggregate` have other values than before what arrived after a cursor: whoever has given buckets away gives
    /// those anew. What was sent again, or is of a source that does not count, changes none; a sample of a preferred source may
    /// change all buckets of its hour (of sleep: of its local day), also so that one has no values any more. Some more may be told than
    /// have changed. What changes without an arrival is not told: what the person prefers, where the person lives, what is deleted.
    ///
    /// For the query service. Errors: as those of `Aggregate`.
    public enum Touched: RPCMethod {
        public static let spansMax = 5000

        public struct Params: Codable, Sendable {
            public var accountID: UUID
            public var types: [DataType]
            public var granularity: Granularity
            /// Only buckets that lie from here …
            public var from: Timestamp
            /// … to here.
            public var to: Timestamp
            /// The `next` of the answer before.
            public var after: ReadCursor
            /// Spans in one answer, about: what an arrival, or a block of a day, touches is never split. 1 to `spansMax`.
            public var limit: Int
            public var reason: ReadReason
            public init(
                accountID: UUID, types: [DataType], granularity: Granularity, from: Timestamp, to: Timestamp,
                after: ReadCursor, limit: Int = spansMax, reason: ReadReason
            ) {
                self.accountID = accountID
                self.types = types
                self.granularity = granularity
                self.from = from
                self.to = to
                self.after = after
                self.limit = limit
                self.reason = reason
            }
        }

        /// Buckets without a gap between them: one, or several.
        public struct Span: Codable, Sendable, Hashable {
            /// Of the first one.
            public var start: Timestamp
            /// Of the last one.
            public var end: Timestamp
            public init(start: Timestamp, end: Timestamp) {
                self.start = start
                self.end = end
            }
        }

        public struct Series: Codable, Sendable, Hashable {
            public var type: DataType
            /// In the order of time.
            public var spans: [Span]
            public init(type: DataType, spans: [Span]) {
                self.type = type
                self.spans = spans
            }
        }

        public struct Result: Codable, Sendable {
            /// Of data types with any, in the order of their numbers.
            public var series: [Series]
            /// Where the next call goes on, also when this answer is empty.
            public var next: ReadCursor
            /// Whether more is stored already.
            public var hasMore: Bool
            public init(series: [Series], next: ReadCursor, hasMore: Bool) {
                self.series = series
                self.next = next
                self.hasMore = hasMore
            }
        }
        public static let name = "ingestion.touched"
        public static let isIdempotent = true
    }
}
