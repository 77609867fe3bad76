import Domain
import Primitives

/// A critical state that lasted: what an incident is about. Times are of the database's clock (`Observation.receivedAt`).
struct Finding: Sendable, Equatable, Codable {
    /// What makes the incident's identity: source, type and the device's own time of the first critical sample.
    struct Origin: Sendable, Equatable, Codable {
        var source: UUID
        var type: DataType
        var time: Timestamp
    }

    var origin: Origin
    var rules: RuleSet
    var rulesVersion: Int
    /// The threshold that was passed, as "<= 40".
    var limit: String
    /// The last critical value, in the canonical unit.
    var value: Double
    var firstCriticalAt: Timestamp
    var confirmedAt: Timestamp
    /// When the critical states began that this one is the last of, with less than `Monitor.calmMin` between them.
    var episodeFrom: Timestamp
    /// When the sample that decided was received.
    var receivedAt: Timestamp
    /// The samples were older than `Monitor.freshMax` when they were judged.
    var isDelayed: Bool
    var wasExercising: Bool

    var type: DataType { origin.type }
}
