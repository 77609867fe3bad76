import Contracts
import Domain
import Primitives

/// What is checked of the samples of one series, prepared so that one that passes costs a few comparisons. Whatever does not
/// pass is judged by `Measurement` or `PositionFix`, which say why; nothing passes here that would not pass there.
struct SampleCheck {
    /// Of the start, in milliseconds since 1970, rounded down: offsets are whole milliseconds.
    private let start: Int64
    /// Those that lead to times that are taken.
    private let offsets: ClosedRange<Int64>

    /// `nil` when none of the series would pass.
    init?(_ series: SampleSeries, clock: SampleClock) {
        let (first, firstOverflow) = clock.first.microseconds.subtractingReportingOverflow(series.start.microseconds)
        let (last, lastOverflow) = clock.last.microseconds.subtractingReportingOverflow(series.start.microseconds)
        guard !firstOverflow, !lastOverflow, first > .min else { return nil }
        // Between the first and the last whole millisecond.
        let (low, high) = (-Self.quotient(-first), Self.quotient(last))
        guard low <= high else { return nil }
        start = series.start.milliseconds
        offsets = low...high
    }

    /// The quotient by 1000, rounded down.
    private static func quotient(_ number: Int64) -> Int64 {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// In milliseconds since 1970; `nil`: judge it.
    @inline(__always) func time(_ offset: Int64, lasting duration: Int64 = 0) -> Int64? {
        guard offset >= offsets.lowerBound, offset <= offsets.upperBound else { return nil }
        if duration != 0 {
            guard duration > 0, duration <= Self.durationMax, offset &+ duration <= offsets.upperBound else {
                return nil
            }
        }
        return start &+ offset
    }

    private static let durationMax = Measurement.durationMax.components.seconds * 1000
}

/// The same for values.
struct ValueCheck {
    private let conversion: UnitConversion
    private let plausible: ClosedRange<Double>
    private let scale: Double
    private let isFractionRefused: Bool

    /// `nil` when each value has to be judged.
    init?(_ type: DataType, unit: String?) {
        guard type != .activity, let conversion = try? type.conversion(from: unit) else { return nil }
        self.conversion = conversion
        plausible = type.plausible
        scale = type.scale
        isFractionRefused = conversion.isFractionRefused
    }

    /// As `DataType.scaled` gives it; `nil`: judge it.
    @inline(__always) func scaled(_ value: Double) -> Int64? {
        let canonical = conversion.canonical(value)
        // What is not a number is in no range.
        guard canonical >= plausible.lowerBound, canonical <= plausible.upperBound else { return nil }
        if isFractionRefused, value > 0, value <= 1 { return nil }
        return Int64((canonical * scale).rounded())
    }
}

/// The same for positions.
enum PositionCheck {
    @inline(__always)
    static func passes(_ latitude: Double, _ longitude: Double, _ altitude: Double?, _ accuracy: Double?) -> Bool {
        guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180, latitude != 0 || longitude != 0
        else { return false }
        if let altitude, !(altitude >= -500 && altitude <= 12_000) { return false }
        if let accuracy, !(accuracy >= 0 && accuracy <= 100_000) { return false }
        return true
    }
}
