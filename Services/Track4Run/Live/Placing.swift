import Primitives

/// One line of a ranking (RUN-10, RUN-11). Times in seconds, distances in metres.
struct Placing: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable {
        case notStarted = "not-started"
        case running
        case finished
        /// At the end of the run: never crossed the start line.
        case didNotStart = "did-not-start"
        /// At the end of the run: did not reach the end of the course.
        case didNotFinish = "did-not-finish"
    }

    /// From 1; `nil` for a runner who has not started, and at the end for one who has not finished.
    var place: Int?
    var bib: Int
    var name: String
    var distance: Double
    /// Since the start of the run (gun time), until the finish or until the distance was reached.
    var time: Double?
    /// Since the runner crossed the start line.
    var netTime: Double?
    var state: State
    var finishedAt: Timestamp?
    /// Mean, in seconds per kilometre.
    var pace: Double?
    /// Mean, in beats per minute, where the runner shares it with the public of a company's run (RUN-01).
    var heartRate: Double?
    /// Gun times at the checkpoints passed.
    var splits: [Double]

    enum CodingKeys: String, CodingKey {
        case place, bib, name, state, splits, finishedAt
        case distance = "distance_m"
        case time = "time_s"
        case netTime = "net_time_s"
        case pace = "pace_s_per_km"
        case heartRate = "heart_rate_mean"
    }
}

/// Where a runner is now, for spectators (RUN-09). Only what is on the course, in the time of the run.
struct Marker: Codable, Sendable, Hashable {
    var bib: Int
    var place: Int?
    var longitude: Double
    var latitude: Double
    /// When the position was taken: a marker says how old it is.
    var time: Timestamp
    var distance: Double
    var pace: Double?
    var heartRate: Double?
    var isSignalLost: Bool
    var state: Placing.State

    enum CodingKeys: String, CodingKey {
        case bib, place, longitude, latitude, time, state, heartRate, isSignalLost
        case distance = "distance_m"
        case pace = "pace_s_per_km"
    }
}
