public import Domain
public import Primitives
public import RPC

/// The methods and feeds of the ingestion service.
public enum Ingestion {
    /// The data types that are collected of a person: those of which anything is stored, whenever it was measured; none
    /// for a person who is unknown here. For the query service (REQ-03). Errors: `invalid_params` (the reason).
    public enum Types: RPCMethod {
        public struct Params: Codable, Sendable {
            public var accountID: UUID
            public var reason: ReadReason
            public init(accountID: UUID, reason: ReadReason) {
                self.accountID = accountID
                self.reason = reason
            }
        }
        public struct Result: Codable, Sendable {
            public var types: [DataType]
            public init(types: [DataType]) { self.types = types }
        }
        public static let name = "ingestion.types"
        public static let isIdempotent = true
    }

    /// A person's samples, each once: first those stored, then new ones. What arrived lately comes in the order of arrival,
    /// and what is older by local days (`ReadCursor`). With `waitMilliseconds` an empty answer waits for the next arrival. The
    /// caller checks consent, after this answer (ARCHITECTURE, "Identity and trust"). For the query service. Errors: `not_found` (no such person here), `invalid_params`, `overloaded`.
    public enum Read: RPCMethod {
        public struct Params: Codable, Sendable {
            public var accountID: UUID
            public var types: [DataType]
            /// Samples measured from here …
            public var from: Timestamp
            /// … to before here.
            public var to: Timestamp
            /// The `next` of the answer before.
            public var after: ReadCursor
            /// Samples in one answer, about: whole uploads are never split. 1 to 100,000.
            public var limit: Int
            /// 0 to 25,000.
            public var waitMilliseconds: Int
            public var reason: ReadReason
            public init(
                accountID: UUID, types: [DataType], from: Timestamp, to: Timestamp, after: ReadCursor, limit: Int,
                waitMilliseconds: Int, reason: ReadReason
            ) {
                self.accountID = accountID
                self.types = types
                self.from = from
                self.to = to
                self.after = after
                self.limit = limit
                self.waitMilliseconds = waitMilliseconds
                self.reason = reason
            }
            enum CodingKeys: String, CodingKey {
                case types, from, to, after, limit, accountID, reason
                case waitMilliseconds = "wait_ms"
            }
        }
        public struct Result: Codable, Sendable {
            public var series: [SampleSeries]
            /// Where the next call goes on, also when this answer is empty.
            public var next: ReadCursor
            /// Whether more is stored already.
            public var hasMore: Bool
            public init(series: [SampleSeries], next: ReadCursor, hasMore: Bool) {
                self.series = series
                self.next = next
                self.hasMore = hasMore
            }
        }
        public static let name = "ingestion.read"
        public static let isIdempotent = true
        public static func isLongPoll(_ params: Params) -> Bool { params.waitMilliseconds > 0 }
    }

    /// What the devices of a watched person sent within an interval of reception, in the order of arrival: with it a
    /// consumer for which `ingestion.live` was trimmed too early (`feed.gone`) reads its gap, person by person and page
    /// by page. Reception is timed by ingestion's database, as the times of feed records are. For dispatcher and
    /// track4run, of people that the caller watches, from the beginning to the end of the watch and of its times of
    /// measuring; samples of uploads only, as in the feed. It also serves for samples that a device has sent out of
    /// order. Of what was received more than two days ago the time of reception is no longer known: it is read by the
    /// samples' own times, and comes as uploads that were sent and received at the time of their last sample. Errors:
    /// `not_allowed` (the caller does not watch this person), `invalid_params`.
    public enum ReadGap: RPCMethod {
        /// How long before the call `receivedFrom` may be: a run lasts up to 14 days.
        public static let ageMax = Duration.seconds(15 * 86_400)
        public static let samplesMax = 20_000

        public struct Params: Codable, Sendable {
            public var accountID: UUID
            public var types: [DataType]
            /// Received from here …
            public var receivedFrom: Timestamp
            /// … to before here.
            public var receivedTo: Timestamp
            /// The `next` of the answer before.
            public var after: ReadCursor
            /// Samples in one answer, about: whole uploads are never split. 1 to `samplesMax`.
            public var limit: Int
            public init(
                accountID: UUID, types: [DataType], receivedFrom: Timestamp, receivedTo: Timestamp,
                after: ReadCursor = .beginning, limit: Int = samplesMax
            ) {
                self.accountID = accountID
                self.types = types
                self.receivedFrom = receivedFrom
                self.receivedTo = receivedTo
                self.after = after
                self.limit = limit
            }
        }

        /// One upload, as the feed would have published it, with the caller's data types only.
        public struct Upload: Codable, Sendable {
            public var samples: LiveSamples
            /// Since its reception, by ingestion's database.
            public var ageMilliseconds: Int64
            public init(samples: LiveSamples, ageMilliseconds: Int64) {
                self.samples = samples
                self.ageMilliseconds = ageMilliseconds
            }
            enum CodingKeys: String, CodingKey {
                case samples
                case ageMilliseconds = "age_ms"
            }
        }

        public struct Result: Codable, Sendable {
            public var uploads: [Upload]
            /// Where the next call goes on.
            public var next: ReadCursor
            /// Whether more of the interval follows.
            public var hasMore: Bool
            public init(uploads: [Upload], next: ReadCursor, hasMore: Bool) {
                self.uploads = uploads
                self.next = next
                self.hasMore = hasMore
            }
        }
        public static let name = "ingestion.read_gap"
        public static let isIdempotent = true
    }

    /// Asks for the days through `through` to be closed for group statistics now, although the usual time is not over:
    /// after a deployment has loaded its history. The work goes on after the answer, and after restarts; the same call
    /// again tells how far it is. With `waitMilliseconds` the answer waits for the end of the work. For the operator's and
    /// simulator's certificates only.
    public enum CloseDays: RPCMethod {
        public static let waitMillisecondsMax = 25_000
        public struct Params: Codable, Sendable {
            public var through: CalendarDate
            /// 0 to `waitMillisecondsMax`.
            public var waitMilliseconds: Int
            public init(through: CalendarDate, waitMilliseconds: Int = 0) {
                self.through = through
                self.waitMilliseconds = waitMilliseconds
            }
            enum CodingKeys: String, CodingKey {
                case through
                case waitMilliseconds = "wait_ms"
            }
        }
        public struct Result: Codable, Sendable {
            /// Number of rollups published to the statistics store so far.
            public var rollups: Int64
            /// `nil`: none yet.
            public var closedThrough: CalendarDate?
            public var isDone: Bool
            /// Of the replica that answers; `nil` when it is not at work.
            public var progress: Progress?
            public init(
                rollups: Int64, closedThrough: CalendarDate?, isDone: Bool, progress: Progress? = nil
            ) {
                self.rollups = rollups
                self.closedThrough = closedThrough
                self.isDone = isDone
                self.progress = progress
            }
        }
        /// First what has arrived is sealed, then the days are counted and published.
        public enum Step: String, Codable, Sendable {
            case sealing, counting
        }
        public struct Progress: Codable, Sendable {
            public var step: Step
            /// How much of the step is done, from 0 to 1.
            public var share: Double
            public init(step: Step, share: Double) {
                self.step = step
                self.share = share
            }
        }
        public static let name = "ingestion.close_days"
        public static let isIdempotent = true
        public static func isLongPoll(_ params: Params) -> Bool { params.waitMilliseconds > 0 }
    }

    /// Feed `ingestion.live`: what devices of watched people send (SOS-02, RUN-09). Entity is the account, kind
    /// `samples`, payload `LiveSamples`. A service gets only the people whom it watches itself, and of them the data types
    /// that it asked for (`Watch`); its replicas share the feed in `livePartsDefault` parts. An exact repeat of an upload is
    /// not published again. There is no snapshot: a consumer that lacks events reads the gap with `ReadGap`. It does the
    /// same for the person of an event of the kind `withheld`, whose payload is empty: the person's key could not be had
    /// when the event was read.
    ///
    /// A service whose watches tell of arrivals alone (query, SUB-01) gets events of the kind `arrived`, payload
    /// `LiveArrival`: one for each commit that stores samples of the watched types, also of files and of what was entered by
    /// hand, and one when the watch begins or changes, for what arrived before. Each of its replicas reads the feed in memory,
    /// without a cursor of its own: after a gap it looks at everybody.
    public static let liveFeed = "ingestion.live"
    /// Into so many parts a service divides the feed for its replicas, where its configuration says nothing else.
    public static let livePartsDefault = 16
    public static let liveSamplesKind = "samples"
    public static let liveWithheldKind = "withheld"
    public static let liveArrivedKind = "arrived"

    public struct LiveSamples: Codable, Sendable {
        public var accountID: UUID
        public var deviceID: UUID
        /// By the clock of the ingestion service.
        public var receivedAt: Timestamp
        /// By the device's clock, or when that is far off by ingestion's, as the samples' times then are: a sample's age at
        /// `receivedAt` is `sentAt` minus its time, so that clocks need not agree. All times are from 1969-12-31 to 2199, and
        /// samples at most 5 minutes ahead of the later of the two.
        public var sentAt: Timestamp
        public var series: [SampleSeries]
        public init(
            accountID: UUID, deviceID: UUID, receivedAt: Timestamp, sentAt: Timestamp, series: [SampleSeries]
        ) {
            self.accountID = accountID
            self.deviceID = deviceID
            self.receivedAt = receivedAt
            self.sentAt = sentAt
            self.series = series
        }
    }

    /// Something of a person is stored, and can be read (`ReadMany`).
    public struct LiveArrival: Codable, Sendable, Equatable {
        public var accountID: UUID
        /// Of what arrived those that are watched.
        public var types: [DataType]
        public init(accountID: UUID, types: [DataType]) {
            self.accountID = accountID
            self.types = types
        }
    }

    /// Publishes days in `ingestion.rollups` again, for a consumer that lacks some of their batches. They follow in the
    /// feed after the answer, with the values that they were published with; days that are not closed are left out. At most
    /// `daysMax`. For the query service. Errors: `invalid_params` for more.
    public enum PublishDays: RPCMethod {
        public static let daysMax = 400
        public struct Params: Codable, Sendable {
            public var days: [CalendarDate]
            public init(days: [CalendarDate]) { self.days = days }
        }
        public typealias Result = Empty
        public static let name = "ingestion.publish_days"
        public static let isIdempotent = true
    }

    /// Feed `ingestion.rollups`, for the anonymous store: closed days in shuffled batches, whose entities are random.
    /// Kind `day` with `DayRollups`, and after the last batch of a day `day-complete` with `DayComplete`. A snapshot
    /// has no values: it lists the closed days, kind `closed` with `ClosedDay`, and the consumer asks for those that it
    /// lacks with `PublishDays`. It does the same when a batch can no longer be opened: ingestion keeps the values
    /// sealed, with a key that lives a week.
    public static let rollupsFeed = "ingestion.rollups"

    public struct DayRollups: Codable, Sendable {
        public var type: DataType
        public var day: CalendarDate
        /// Of the same length: subject numbers, and each person's mean (rates) or sum (counters) of the day, in the
        /// canonical unit.
        public var subjects: [Int32]
        public var values: [Double]
        /// The publication of the day that the batch belongs to; earlier versions did not name it.
        public var publication: UUID?
        public init(
            type: DataType, day: CalendarDate, subjects: [Int32], values: [Double], publication: UUID? = nil
        ) {
            self.type = type
            self.day = day
            self.subjects = subjects
            self.values = values
            self.publication = publication
        }
    }

    public struct DayComplete: Codable, Sendable {
        public var day: CalendarDate
        public var publication: UUID
        /// `day` events of this publication; none for a day on which nobody measured anything.
        public var batches: Int
        public init(day: CalendarDate, publication: UUID, batches: Int) {
            self.day = day
            self.publication = publication
            self.batches = batches
        }
    }

    public struct ClosedDay: Codable, Sendable {
        public var day: CalendarDate
        public init(day: CalendarDate) { self.day = day }
    }

    /// Feeds `dispatcher.watch`, `track4run.watch` and `query.watch`, which ingestion consumes: the people of whose samples
    /// it tells in `ingestion.live`. Entity is the account (for track4run derived from account and run), kind `watch`,
    /// payload `Watch`.
    ///
    /// The time of a sample is its age subtracted from `LiveSamples.receivedAt`: how old it was by its device's clock
    /// when it was sent, so that no two clocks are compared. A sample from the future of its own device counts as
    /// measured when it was sent.
    public struct Watch: Codable, Sendable, Equatable {
        /// What a service is told of what arrives.
        public enum Tells: String, Codable, Sendable {
            /// The samples themselves (`LiveSamples`). While somebody gets all of them, whenever they were measured, the
            /// person's devices measure more often.
            case samples
            /// That something arrived (`LiveArrival`), whatever its age and its source. Devices notice nothing of it. For
            /// query.
            case arrivals
        }
        public var accountID: UUID
        public var isWatched: Bool
        /// Only samples measured from here …
        public var measuredFrom: Timestamp?
        /// … to here, both inclusive, are passed on. `nil`, and then both: whenever they were measured.
        public var measuredTo: Timestamp?
        /// Samples that arrive later are not passed on. `nil`: without end.
        public var until: Timestamp?
        /// Samples of other data types are not passed on. `nil`: of all.
        public var types: [DataType]?
        /// `samples` when it is not said.
        public var tells: Tells
        public init(
            accountID: UUID, isWatched: Bool, measuredFrom: Timestamp? = nil, measuredTo: Timestamp? = nil,
            until: Timestamp? = nil, types: [DataType]? = nil, tells: Tells = .samples
        ) {
            self.accountID = accountID
            self.isWatched = isWatched
            self.measuredFrom = measuredFrom
            self.measuredTo = measuredTo
            self.until = until
            self.types = types
            self.tells = tells
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                accountID: try container.decode(UUID.self, forKey: .accountID),
                isWatched: try container.decode(Bool.self, forKey: .isWatched),
                measuredFrom: try container.decodeIfPresent(Timestamp.self, forKey: .measuredFrom),
                measuredTo: try container.decodeIfPresent(Timestamp.self, forKey: .measuredTo),
                until: try container.decodeIfPresent(Timestamp.self, forKey: .until),
                types: try container.decodeIfPresent([DataType].self, forKey: .types),
                tells: try container.decodeIfPresent(Tells.self, forKey: .tells) ?? .samples)
        }
    }
}
