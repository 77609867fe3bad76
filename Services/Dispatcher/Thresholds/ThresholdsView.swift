import Domain
import Primitives

/// What a person is shown of limits: those that hold, whose they are, and what could be set.
struct ThresholdsView: Encodable {
    struct InForce: Encodable {
        var type: DataType
        var unit: String
        /// Critical below it; `nil`: no limit on this side.
        var low: Double?
        var high: Double?
        var setBy: ThresholdOrigin
        /// Whom a state beyond it calls.
        var concerns: Concern
    }

    struct Safe: Encodable {
        var type: DataType
        var lowFrom: Double?
        var lowTo: Double?
        var highFrom: Double?
        var highTo: Double?
    }

    var own: PersonalThresholds?
    var changedAt: Timestamp?
    var proposal: ThresholdsProposal?
    var proposedAt: Timestamp?
    /// At rest, awake.
    var inForce: [InForce]
    /// Between which values limits can be set with a doctor.
    var safe: [Safe]

    init(_ known: ThresholdsStore.Known, _ enrolment: Enrolment, at now: Timestamp) {
        own = known.own
        changedAt = known.changedAt
        proposal = known.proposal
        proposedAt = known.proposedAt
        let context = RuleContext(
            ageMonths: enrolment.wearer.ageMonths(on: now.dateUTC), thresholds: known.own)
        inForce = DataType.allCases.compactMap { type in
            enrolment.rules.rule(for: type, context).map { rule in
                InForce(
                    type: type, unit: type.unit.description, low: rule.limits.low?.value,
                    high: rule.limits.high?.value, setBy: rule.origin, concerns: rule.concern)
            }
        }
        safe = SafeLimits.types.compactMap { type in
            SafeLimits(type).map { limits in
                Safe(
                    type: type, lowFrom: limits.low?.lowerBound, lowTo: limits.low?.upperBound,
                    highFrom: limits.high?.lowerBound, highTo: limits.high?.upperBound)
            }
        }
    }
}
