import Contracts
import Domain
import Primitives
import Reactor

/// Reads what the health view and the weekly report are computed from: the summaries of a person's last days.
struct HealthReader: Sendable {
    /// Types with group statistics, and activity.
    static let types = DataType.allCases.filter { $0.groupBounds != nil && $0 != .height } + [.activity]
    /// A height holds for life; it is looked for so far back.
    static let heightDays = 36_500

    let samples: PersonSamples
    let contexts: PersonContexts
    let clock: any WallClock

    /// `nil` for a person of whom nothing can be read.
    func read(
        _ account: UUID, daysMax: Int = HealthHistory.daysMax
    ) async throws -> (person: PersonContext, history: HealthHistory)? {
        let now = clock.now()
        // A day more than the last one anywhere.
        let last = now.dateUTC.adding(days: 1)
        let first = last.adding(days: -daysMax - CountedDay.daysBefore)
        let person = try await contexts.context(of: account)
        var days: [DataType: [CalendarDate: DaySummary]] = [:]
        for (types, begin) in [(Self.types, first), ([.height], last.adding(days: -Self.heightDays))] {
            let found = try await samples.summaries(
                of: account, types: DataType.mask(types), days: begin...last, person)
            days.merge(found) { $1 }
        }
        guard days.values.contains(where: { !$0.isEmpty }) else { return nil }
        let (today, found) = (person.zone.day(of: now), days)
        let history = try await samples.threads.computing { Self.history(found, of: person, today: today) }
        return (person, history)
    }

    private static func history(
        _ summaries: [DataType: [CalendarDate: DaySummary]], of person: PersonContext, today: CalendarDate
    ) -> HealthHistory {
        var history = HealthHistory(today: today, birthDate: person.details?.birthDate)
        for type in types {
            for counted in days(of: type, summaries, person) {
                if type == .activity {
                    let known = counted.hours.count { $0.values.weight >= DayValue.knownMin }
                    guard known >= HealthHistory.activityHoursMin else { continue }
                    history.moderateMinutes[counted.day] = moderateMinutes(counted.total)
                } else if let value = DayValue(counted) {
                    history.values[type, default: [:]][counted.day] = value
                }
            }
        }
        let heights = days(of: .height, summaries, person).compactMap(\.total.mean)
        history.height = heights.last.map { $0 / Double(DataType.height.scaled(1)) }
        return history
    }

    /// What counts of a type, of days on which anything was measured, in their order.
    private static func days(
        of type: DataType, _ summaries: [DataType: [CalendarDate: DaySummary]], _ person: PersonContext
    ) -> [CountedDay] {
        let (own, order) = (summaries[type] ?? [:], person.order(of: type))
        return CountedDay.days(of: type, in: own, order: order)
    }

    private static func moderateMinutes(_ total: SummaryValues) -> Double {
        total.states.reduce(0.0) { sum, state in
            let activity = Activity(value: DataType.activity.value(scaled: state.key))
            return activity?.isModerate == true ? sum + Double(state.value) / 60_000 : sum
        }
    }
}

extension DayValue {
    /// `nil` when nothing was measured.
    init?(_ counted: CountedDay) {
        let (total, type) = (counted.total, counted.type)
        guard total.hasValues else { return nil }
        let known = counted.hours.map(\.values).filter {
            type.kind == .counter ? $0.hasValues : $0.weight >= Self.knownMin
        }
        self.init(count: total.count, hours: known.count)
        switch type.kind {
        case .counter: sum = type.value(scaled: total.sum)
        case .rate:
            let scale = Double(type.scaled(1))
            guard let mean = total.mean else { return nil }
            self.mean = mean / scale
            high = (counted.spread.quantiles([0.95]).first ?? mean) / scale
            guard hours >= Self.restHoursMin, count >= Self.restReadingsMin else { return }
            resting = known.compactMap(\.mean).min().map { $0 / scale }
        case .state, .position: return nil
        }
    }
}
