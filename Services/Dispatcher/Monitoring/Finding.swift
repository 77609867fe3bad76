import Domain
import Primitives

/// A critical state that lasted: what an incident is about. Times are of the database's clock (`Observation.receivedAt`).
struct Finding: Sendable, Equatable, Codable {
    /// What makes the incident's identity: source, type and the device's own time of the first critical sample (`VitalTrack.Run.origin`).
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
    /// Some of the critical samples were judged before ingestion had stored them, and have not come from storage since.
    var isProvisional = false
    /// The limits that held (SOS-03c); `nil` in incidents from before they were kept.
    var thresholds: Thresholds?
    /// Its severe part, where that had lasted as well: it is found with the rest, or later by itself.
    var severe: Severe?

    /// What the severe part of a critical state would be alone: another emergency, whoever called the state off before it had lasted.
    struct Severe: Sendable, Equatable, Codable {
        /// In its origin (`VitalTrack.Run.origin`).
        var time: Timestamp
        var firstCriticalAt: Timestamp
        var confirmedAt: Timestamp
    }

    /// The whole, and its severe part alone.
    var parts: [Finding] { [self, severeAlone].compactMap(\.self) }

    /// The severe part as a finding of its own.
    var severeAlone: Finding? {
        guard let severe else { return nil }
        var alone = self
        alone.origin.time = severe.time
        (alone.firstCriticalAt, alone.confirmedAt, alone.severe) = (severe.firstCriticalAt, severe.confirmedAt, nil)
        return alone
    }

    /// Both ends, and who set them.
    struct Thresholds: Sendable, Equatable, Codable {
        var low: Double?
        var high: Double?
        var setBy: ThresholdOrigin
        /// The doctor whom the person named.
        var doctor: String?

        init(low: Double?, high: Double?, setBy: ThresholdOrigin, doctor: String?) {
            self.low = low
            self.high = high
            self.setBy = setBy
            self.doctor = doctor
        }

        init(_ rule: VitalRule, _ personal: PersonalThresholds?) {
            self.init(
                low: rule.limits.low?.value, high: rule.limits.high?.value, setBy: rule.origin,
                doctor: rule.origin == .doctor ? personal?.doctor?.name : nil)
        }
    }

    /// Whom it concerns.
    var concern: Concern { VitalRule.concern(of: type) }
    var type: DataType { origin.type }
}
