import Domain
import Primitives

extension IncidentMessage {
    /// Where the person lives, as it was told at enrolment: what is left when there is no current position (SOS-10).
    struct Home: Sendable, Encodable {
        var address: HomeAddress?
        var notes: String?
        /// Whether there is no current position, so that this is where to look first.
        var isFallback: Bool

        init?(_ enrolment: EnrolmentDetails, isFallback: Bool) {
            address = enrolment.address
            notes = enrolment.addressNotes.flatMap { $0.isEmpty ? nil : $0 }
            self.isFallback = isFallback
            guard address != nil || notes != nil else { return nil }
        }

        /// In one line, the address first; what stands on lines of its own is set apart by commas.
        func line(_ floor: String) -> String {
            var parts: [String] = []
            if let address {
                parts = [address.street, "\(address.postalCode) \(address.city)"]
                if let number = address.floor { parts.append("\(floor) \(number)") }
            }
            parts += (notes ?? "").split(whereSeparator: \.isNewline).map(String.init)
            return parts.joined(separator: ", ")
        }
    }

    /// How the person moves, by the last two fixes.
    struct Movement: Sendable, Equatable {
        /// Fixes further apart tell of a way, and not of a direction.
        private static let pauseMax = Duration.seconds(60)
        /// What a fix is off by, where it does not say.
        private static let accuracyDefault = 15.0
        /// Faster, one of the two is wrong: an aeroplane's.
        private static let speedMax = 300.0

        /// Degrees clockwise from north.
        let direction: Double
        /// Metres per second.
        let speed: Double

        /// `fixes`, newest first. `nil` when the distance is no more than what the fixes may be off by.
        init?(_ fixes: [StoredFix]) {
            guard fixes.count >= 2 else { return nil }
            let (now, before) = (fixes[0], fixes[1])
            let time = (now.time - before.time).seconds
            guard time > 0, now.time - before.time <= Self.pauseMax else { return nil }
            let distance = before.coordinate.distance(to: now.coordinate)
            let uncertainty = (now.accuracy ?? Self.accuracyDefault) + (before.accuracy ?? Self.accuracyDefault)
            guard distance > uncertainty, distance / time <= Self.speedMax else { return nil }
            direction = before.coordinate.bearing(to: now.coordinate).rounded().truncatingRemainder(dividingBy: 360)
            speed = (distance / time * 10).rounded() / 10
        }
    }
}
