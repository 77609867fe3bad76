import Contracts
import Domain
import Glibc
import Primitives
import SeededRandom
import SimulatedPeople

@testable import Dispatcher

/// How often a rule set is wrong about the healthy, and whether it finds who is in need, over simulated people whose sensors
/// fail. Each number is a person; the same numbers give the same figures.
struct DetectionFigures {
    static let firstDay = CalendarDate(year: 2026, month: 3, day: 2)!
    /// Of each healthy person, with one monitor.
    static let daysEach = 3

    private static let watch = UUID(high: 1, low: 1)

    let rules: RuleSet

    private func wearer(_ body: SimulatedBody) -> Wearer {
        Wearer(
            account: Self.watch, birthDate: CalendarDate(year: 2026 - body.age, month: 1, day: 1) ?? Self.firstDay,
            rules: rules)
    }

    // MARK: The healthy

    /// What was raised of people who are well.
    struct Healthy {
        var days = 0
        /// To an ambulance service: what was handed over, and what would have been had it come in time.
        var handOvers = 0
        /// Of them those of a heart that was really so slow, asleep.
        var ofSleepers = 0
        var toContacts = 0
        var alerts = 0
        var causes: [DataType: Int] = [:]

        mutating func add(_ other: Self) {
            days += other.days
            handOvers += other.handOvers
            ofSleepers += other.ofSleepers
            toContacts += other.toContacts
            alerts += other.alerts
            causes.merge(other.causes, uniquingKeysWith: +)
        }

        func perTenYears(_ count: Double) -> Double { count * 3652.5 / Double(max(1, days)) }

        /// Of the hand-overs in ten years of a person.
        var interval: ClosedRange<Double> {
            let counts = PoissonInterval(of: handOvers)
            return perTenYears(counts.low)...perTenYears(counts.high)
        }

        var text: String {
            """
            \(days) days, \(handOvers) false hand-overs \(causes), in ten years \(rounded(perTenYears(Double(handOvers)))) \
            (95%: \(rounded(interval.lowerBound)) to \(rounded(interval.upperBound))), \
            \(ofSleepers) of them of sleepers; to contacts alone \(toContacts); alerted \(alerts)
            """
        }

        private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
    }

    func healthy(
        people: Range<Int>, daysEach: Int = daysEach, _ model: ArtefactModel = ArtefactModel(), seed: UInt64 = 11
    ) -> Healthy {
        var result = Healthy()
        for number in people {
            let simulated = SimulatedWearer(seed: seed, number: number)
            let wearer = wearer(simulated.body)
            var monitor: Monitor?
            for index in 0..<daysEach {
                let worn = simulated.worn(on: Self.firstDay.adding(days: number % 200 + index), model)
                for live in worn.uploads(of: 5, account: Self.watch, device: Self.watch) {
                    let now = live.receivedAt
                    guard let seen = Observation(live, now: now, heldFor: .zero) else { continue }
                    var known = monitor ?? Monitor(begunAt: now)
                    for action in known.observe(seen, of: wearer) { result.add(action, isAsleep: !seen.sleep.isEmpty) }
                    monitor = known
                }
                result.days += 1
            }
        }
        return result
    }

    // MARK: Emergencies

    struct Emergencies {
        var all = 0
        var found = 0
        /// From the first second of the emergency on.
        var slowest: [WornEmergency: Duration] = [:]
        var missed: [String] = []

        mutating func add(_ other: Self) {
            all += other.all
            found += other.found
            slowest.merge(other.slowest, uniquingKeysWith: max)
            missed += other.missed
        }

        var slowestOfAll: Duration { slowest.values.max() ?? .zero }

        var text: String {
            let counts = PoissonInterval(of: all - found)
            let slowest = slowest.map { "\($0.key) \($0.value.milliseconds / 1000) s" }.sorted().joined(separator: ", ")
            return
                "\(found) of \(all) found (95%: at most one of \(Int(Double(all) / counts.high)) missed); slowest: \(slowest)"
        }
    }

    /// Emergencies of 30 s at any hour of the day; one is found by a hand-over for its own cause.
    func emergencies(_ kinds: [WornEmergency], _ numbers: Range<Int>, seed: UInt64 = 13) -> Emergencies {
        var result = Emergencies()
        for number in numbers {
            var random = SeededGenerator(seed: seed &- 1, stream: number)
            let kind = kinds[number % kinds.count]
            let simulated = SimulatedWearer(seed: seed, number: number)
            let wearer = wearer(simulated.body)
            let day = Self.firstDay.adding(days: random.index(below: 200))
            let second = 3600 + random.index(below: 22 * 3600)
            let worn = simulated.emergency(kind, on: day, at: second, seconds: 30)
            let begin = worn.midnight + .seconds(Int64(second))
            var monitor = Monitor(begunAt: worn.midnight)
            var found: Duration?
            for live in worn.uploads(of: 1, account: Self.watch, device: Self.watch) where found == nil {
                guard let seen = Observation(live, now: live.receivedAt, heldFor: .zero) else { continue }
                for case .dispatch(let finding) in monitor.observe(seen, of: wearer)
                where found == nil && finding.type == kind.type && finding.firstCriticalAt >= begin {
                    found = finding.confirmedAt - begin
                }
            }
            result.all += 1
            if let found {
                result.found += 1
                result.slowest[kind] = max(result.slowest[kind] ?? .zero, found)
            } else {
                result.missed.append("\(kind) of number \(number)")
            }
        }
        return result
    }
}

extension RuleSet {
    /// Those of the simulated emergencies that concern what it watches.
    var watchedEmergencies: [WornEmergency] {
        self == .age ? WornEmergency.allCases : [.slowHeart, .fastHeart, .standstill, .fastHeartMoving]
    }
}

extension DetectionFigures.Healthy {
    fileprivate mutating func add(_ action: MonitorAction, isAsleep: Bool) {
        switch action {
        case .dispatch(let finding), .report(let finding):
            handOvers += 1
            causes[finding.type, default: 0] += 1
            if isAsleep, finding.type == .heartRate, finding.limit.hasPrefix("<") { ofSleepers += 1 }
        case .tellContacts: toContacts += 1
        case .alert: alerts += 1
        case .calm, .blind, .sighted, .stored: break
        }
    }
}

/// What a number of rare events says of their mean, with 95% (Garwood, Biometrika 1936, 28:437).
struct PoissonInterval {
    let low: Double
    let high: Double

    init(of count: Int) {
        low = count == 0 ? 0 : Self.mean { 1 - Self.cumulated(count - 1, $0) >= 0.025 }
        high = Self.mean { Self.cumulated(count, $0) <= 0.025 }
    }

    /// The least mean of which it holds.
    private static func mean(_ holds: (Double) -> Bool) -> Double {
        var (low, high) = (0.0, 1.0)
        while !holds(high), high < 1e6 { high *= 2 }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// The probability of at most `count`.
    private static func cumulated(_ count: Int, _ mean: Double) -> Double {
        (0...max(0, count)).reduce(0) { $0 + exp(Double($1) * log(mean) - mean - lgamma(Double($1) + 1)) }
    }
}
