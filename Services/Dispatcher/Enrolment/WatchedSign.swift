import Domain
import Primitives

/// One rule as the enrolment's answer shows it: whether it can watch at all depends on what the person's devices give (SOS-01,
/// SOS-02).
struct WatchedSign: Encodable, Sendable, Equatable {
    /// A data type, or `shaking`.
    var sign: String
    var concerns: Concern
    /// A device has given it within a day.
    var isAvailable: Bool
    /// What is missing, in words; absent when nothing is.
    var missing: String?

    static func all(of enrolment: Enrolment, as monitor: Monitor, at now: Timestamp) -> [WatchedSign] {
        let context = RuleContext(ageMonths: enrolment.wearer.ageMonths(on: now.dateUTC))
        var signs = DataType.allCases.compactMap { type -> WatchedSign? in
            guard let rule = enrolment.rules.rule(for: type, context) else { return nil }
            let seenAt = monitor.lastVitals[type]?.time
            let isSeen = seenAt.map { now - $0 <= ShakingWatch.availableFor } ?? false
            return WatchedSign(
                sign: type.name, concerns: rule.concern, isAvailable: isSeen,
                missing: isSeen ? nil : "no device has given it within a day")
        }
        let tells = monitor.shaking.isAvailable(at: now)
        signs.append(
            WatchedSign(
                sign: "shaking", concerns: VitalRule.concern(of: .shakingAmplitude), isAvailable: tells,
                missing: tells
                    ? nil
                    : "no device tells shaking-frequency and shaking-amplitude each second, from at least 25 Hz"))
        return signs
    }
}
