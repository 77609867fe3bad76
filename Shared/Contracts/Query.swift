public import Domain
public import Primitives
public import RPC

/// The methods and feeds of the query service.
public enum Query {
    /// Asks a runner, on behalf of a run's organiser, for position and (a company) all health parameters until the end of
    /// the run: accepting is checking in (RUN-08). The same `id` again has no effect. For track4run.
    /// Errors: `not_found` (the runner), `invalid_params`.
    public enum RequestCheckIn: RPCMethod {
        public struct Params: Codable, Sendable {
            public var id: UUID
            public var runID: UUID
            public var runName: String
            public var organiserID: UUID
            public var runnerID: UUID
            /// The request lapses at the start of the run, and sharing ends at its end.
            public var start: Timestamp
            public var end: Timestamp
            public init(
                id: UUID, runID: UUID, runName: String, organiserID: UUID, runnerID: UUID, start: Timestamp,
                end: Timestamp
            ) {
                self.id = id
                self.runID = runID
                self.runName = runName
                self.organiserID = organiserID
                self.runnerID = runnerID
                self.start = start
                self.end = end
            }
        }
        public typealias Result = Empty
        public static let name = "query.request_check_in"
        public static let isIdempotent = true
    }

    /// Feed `query.consents`, for track4run: every change of a check-in's state (requests of third parties are not
    /// published). Entity is the request, kind `consent`, payload `ConsentChange`; the version counts the changes.
    public static let consentsFeed = "query.consents"

    public struct ConsentChange: Codable, Sendable {
        public enum State: String, Codable, Sendable {
            case pending, accepted, refused, lapsed, withdrawn, ended
        }
        public var requestID: UUID
        public var individualID: UUID
        public var requesterID: UUID
        /// Set for the check-in of a run.
        public var runID: UUID?
        public var state: State
        public var types: [DataType]
        public var until: Timestamp?
        public init(
            requestID: UUID, individualID: UUID, requesterID: UUID, runID: UUID?, state: State, types: [DataType],
            until: Timestamp?
        ) {
            self.requestID = requestID
            self.individualID = individualID
            self.requesterID = requesterID
            self.runID = runID
            self.state = state
            self.types = types
            self.until = until
        }
    }

    /// The individuals whose data third parties may have now; payload `Ingestion.Watch`, one entity for each individual, the
    /// account. `types` are those that any accepted request of a third party names, `until` is when the last of them ends, and
    /// only arrivals are told (`Ingestion.Watch.Tells`). Check-ins of runs are left out. Consumed by ingestion.
    public static let watchFeed = "query.watch"

    /// Released statistics of people of about the same age, for My Health (ING-07): only what was released before, with the
    /// noise and under the rules of every release, so that nobody's question spends privacy budget or is seen by anybody.
    /// For ingestion. Errors: `invalid_params` (an age outside of 0 to 150).
    public enum AgeStatistics: RPCMethod {
        public struct Params: Codable, Sendable {
            /// One with group statistics (`DataType.groupBounds`).
            public var type: DataType
            /// In years.
            public var age: Int
            public init(type: DataType, age: Int) {
                self.type = type
                self.age = age
            }
        }
        public struct Released: Codable, Sendable, Equatable {
            /// The ages of the group, both inclusive.
            public var ageFrom: Int
            public var ageTo: Int
            /// The days that it is about, both inclusive.
            public var from: CalendarDate
            public var to: CalendarDate
            /// Of people's values of a day (a rate's mean, a counter's sum), in the canonical unit.
            public var mean: Double
            /// The half-width of the 95% interval that the noise leaves.
            public var margin: Double
            public init(
                ageFrom: Int, ageTo: Int, from: CalendarDate, to: CalendarDate, mean: Double, margin: Double
            ) {
                self.ageFrom = ageFrom
                self.ageTo = ageTo
                self.from = from
                self.to = to
                self.mean = mean
                self.margin = margin
            }
        }
        public struct Result: Codable, Sendable {
            /// The latest; `nil` when none was released of that type and age.
            public var released: Released?
            public init(released: Released?) { self.released = released }
        }
        public static let name = "query.age_statistics"
        public static let isIdempotent = true
    }
}
