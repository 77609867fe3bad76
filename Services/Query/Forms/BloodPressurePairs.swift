import Domain
import Primitives

/// A systolic and a diastolic pressure of the same time.
struct BloodPressure {
    /// One of the two.
    enum Part: Equatable {
        /// As `DataType.scaled`.
        case value(Int64)
        /// A reading that is no value of the person.
        case noValue
        /// There is none of this time.
        case missing

        init(_ value: Int64?) { self = value.map { .value($0) } ?? .noValue }

        var value: Int64? { if case .value(let value) = self { value } else { nil } }
    }

    let time: Timestamp
    let milliseconds: Int64
    let statistic: ReadingStatistic?
    let zone: ZoneOffset?
    var systolic = Part.missing
    var diastolic = Part.missing

    var isWhole: Bool { systolic != .missing && diastolic != .missing }
    var end: Timestamp { time.adding(milliseconds: milliseconds) }
}

/// Pressures that wait for the other one of their time. Of several of one time, from several sources, the first systolic one
/// belongs to the first diastolic one: ingestion gives the sources of all types in the same order.
struct BloodPressurePairs {
    /// Ingestion gives local day after local day, so that hardly more than a day's wait.
    static let waitingMax = 100_000

    private struct Key: Hashable {
        let time: Timestamp
        let milliseconds: Int64
        let statistic: ReadingStatistic?
        let isSystolic: Bool

        /// Among those of one time.
        var order: Int { Int(statistic?.rawValue ?? 0) * 2 + (isSystolic ? 0 : 1) }
    }

    private let waitingMax: Int
    private var waiting: [Key: [BloodPressure]] = [:]
    private var count = 0

    init(waitingMax: Int = Self.waitingMax) {
        self.waitingMax = waitingMax
    }

    /// Whether more wait than may: time to take them.
    var isOverfull: Bool { count > waitingMax }

    /// The pair, when the other one waited for this one.
    mutating func pair(
        _ reading: FormReading, isSystolic: Bool, _ statistic: ReadingStatistic?, zone: ZoneOffset?
    ) -> BloodPressure? {
        func key(_ isSystolic: Bool) -> Key {
            Key(
                time: reading.time, milliseconds: reading.milliseconds, statistic: statistic, isSystolic: isSystolic)
        }
        var pressure = BloodPressure(
            time: reading.time, milliseconds: reading.milliseconds, statistic: statistic, zone: zone)
        if isSystolic { pressure.systolic = .init(reading.value) } else { pressure.diastolic = .init(reading.value) }
        guard var others = waiting.removeValue(forKey: key(!isSystolic)) else {
            waiting[key(isSystolic), default: []].append(pressure)
            count += 1
            return nil
        }
        var pair = others.removeFirst()
        count -= 1
        if !others.isEmpty { waiting[key(!isSystolic)] = others }
        if isSystolic { pair.systolic = pressure.systolic } else { pair.diastolic = pressure.diastolic }
        return pair
    }

    /// Those that still wait, in the order of time; none waits afterwards.
    mutating func takeWaiting() -> [BloodPressure] {
        defer { self = BloodPressurePairs(waitingMax: waitingMax) }
        return waiting.sorted {
            ($0.key.time, $0.key.milliseconds, $0.key.order) < ($1.key.time, $1.key.milliseconds, $1.key.order)
        }
        .flatMap(\.value)
    }
}
