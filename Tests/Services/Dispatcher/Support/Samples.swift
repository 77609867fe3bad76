import Domain
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

/// The age of an incident in seconds.
func age(_ second: Double) -> IncidentAge { IncidentAge(milliseconds: Int64(second * 1000)) }

/// An upload at `sent` seconds (the last sample's time unless given), received 0.1 s later, and read `held` seconds
/// after that.
func upload(
    _ beats: [Beat], sent: Double? = nil, type: DataType = .heartRate, source: UUID = watch, received: Double? = nil,
    held: Double = 0
) -> Observation {
    let sent = sent ?? beats.map(\.second).max() ?? 0
    return Observation(
        source: source, receivedAt: time(received ?? sent + 0.1), sentAt: time(sent),
        heldFor: .microseconds(Int64(held * 1_000_000)),
        vitals: beats.map { .init(Measurement(type: type, time: time($0.second), value: $0.value)) })
}

/// Beats at one per `period` seconds.
func beats(_ value: Double, from: Double, through: Double, every period: Double = 1) -> [Beat] {
    stride(from: from, through: through + 0.0001, by: period).map { ($0, value) }
}

extension Monitor {
    /// Of somebody who is watched since `start`.
    init() { self.init(begunAt: start) }

    /// Uploads every beat alone, at once.
    mutating func live(_ beats: [Beat], of wearer: Wearer = .aged(70), type: DataType = .heartRate) -> [MonitorAction] {
        beats.flatMap { observe(upload([$0], type: type), of: wearer) }
    }
}

/// As it comes back from storage.
func stored(_ monitor: Monitor) throws -> Monitor {
    try Monitor(packed: monitor.packed)
}

extension [MonitorAction] {
    var dispatched: [Finding] { compactMap { if case .dispatch(let finding) = $0 { finding } else { nil } } }
    var reported: [Finding] { compactMap { if case .report(let finding) = $0 { finding } else { nil } } }
    var toContacts: [Finding] { compactMap { if case .tellContacts(let finding) = $0 { finding } else { nil } } }
    var isBlind: Bool { contains { if case .blind = $0 { true } else { false } } }
}

/// Heart rates a second apart, of which the last confirms an emergency.
let critical = [70.0, 38, 37, 36, 38]
