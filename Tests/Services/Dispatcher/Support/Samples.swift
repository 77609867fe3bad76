import Domain
import JSON
import Primitives

@testable import Dispatcher

let start = Timestamp("2026-05-01T08:00:00Z")!
let watch = UUID(high: 1, low: 1)
let phone = UUID(high: 1, low: 2)

extension Wearer {
    /// Somebody of that age in years on the first of May 2026.
    static func aged(_ years: Int, rules: RuleSet = .age) -> Wearer {
        Wearer(
            account: UUID(high: 7, low: 7), birthDate: CalendarDate(year: 2026 - years, month: 1, day: 15)!,
            rules: rules)
    }
}

/// One value at a time in seconds after `start`.
typealias Beat = (second: Double, value: Double)

func time(_ second: Double) -> Timestamp { start + .microseconds(Int64(second * 1_000_000)) }

/// An upload at `sent` seconds (the last sample's time unless given), received 0.1 s later.
func upload(
    _ beats: [Beat], sent: Double? = nil, type: DataType = .heartRate, source: UUID = watch, received: Double? = nil
) -> Observation {
    let sent = sent ?? beats.map(\.second).max() ?? 0
    return Observation(
        source: source, receivedAt: time(received ?? sent + 0.1), sentAt: time(sent),
        vitals: beats.map { .init(Measurement(type: type, time: time($0.second), value: $0.value)) })
}

/// Beats at one per `period` seconds.
func beats(_ value: Double, from: Double, through: Double, every period: Double = 1) -> [Beat] {
    stride(from: from, through: through + 0.0001, by: period).map { ($0, value) }
}

extension Monitor {
    /// Uploads every beat alone, at once.
    mutating func live(_ beats: [Beat], of wearer: Wearer = .aged(70), type: DataType = .heartRate) -> [MonitorAction] {
        beats.flatMap { observe(upload([$0], type: type), of: wearer) }
    }
}

/// As it comes back from storage.
func stored(_ monitor: Monitor) throws -> Monitor {
    try JSONDecoder().decode(Monitor.self, from: JSONEncoder().encode(monitor))
}

extension [MonitorAction] {
    var dispatched: [Finding] { compactMap { if case .dispatch(let finding) = $0 { finding } else { nil } } }
    var reported: [Finding] { compactMap { if case .report(let finding) = $0 { finding } else { nil } } }
    var isBlind: Bool { contains { if case .blind = $0 { true } else { false } } }
}

/// The same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
