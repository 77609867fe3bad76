import Domain
import Primitives

/// What counts of a person's samples of one data type: of several sources one per hour. Computed on worker threads.
struct CountedSamples: Sendable {
    /// Statistics of spans up to so long are computed from samples, those of longer ones from the summaries of days.
    static let samplesSpanMax = Duration.seconds(31 * 86_400)

    let samples: PersonSamples
    let person: PersonContext
    let account: UUID
    /// Samples that statistics look at one by one; where there are more they are computed from the summaries of days.
    var samplesMax = PersonSamples.samplesMax

    /// The buckets of a span; hours and longer ones from summaries.
    func buckets(_ span: Span, by granularity: Granularity) async throws -> Buckets {
        let order = person.order(of: span.type)
        let empty = Buckets(type: span.type, granularity: granularity, from: span.from, to: span.to)
        guard granularity == .minute else {
            return try await eachDay(span, by: granularity, empty) { $0.add($1) }
        }
        // Intervals of two days before may reach into the span.
        return try await samples.reduce(
            of: account, span.type, from: span.from - .seconds(86_400), to: span.to, person,
            into: CountedMinutes(type: span.type)
        ) { minutes, _, block in
            if let block { try minutes.add(block) }
        } then: { minutes in
            var buckets = empty
            minutes.counted(order).forEach { buckets.add(minute: $0.values, at: $0.start) }
            return buckets
        }
    }

    func statistics(_ span: Span) async throws -> StatisticsAnswer {
        switch span.type.kind {
        case .rate where span.to - span.from <= Self.samplesSpanMax:
            do { return try await statisticsOfSamples(span) } catch is PersonSamples.TooMuch {
                return try await statisticsOfDays(span)
            }
        case .rate: return try await statisticsOfDays(span)
        case .counter: return try await statisticsOfSums(span)
        case .state, .position: return try await statisticsOfStates(span)
        }
    }

    /// What readings add to the statistics of a span.
    private struct Readings: Sendable {
        var total = SummaryValues()
        var counts = ValueCounts()
        /// That were looked at.
        var samples = 0
        /// Samples of a day of the span had to go (ING-10).
        var isIncomplete = false
    }

    private func statisticsOfSamples(_ span: Span) async throws -> StatisticsAnswer {
        let (order, days) = (person.order(of: span.type), days(of: span))
        let inside = span.from.millisecondsUp..<max(span.from.millisecondsUp, span.to.millisecondsUp)
        let (readings, counts) = try await samples.reduce(
            of: account, span.type, from: span.from, to: span.to, person, into: Readings()
        ) { readings, day, block in
            guard let block else {
                readings.isIncomplete = readings.isIncomplete || days.contains(day)
                return
            }
            readings.samples += block.count
            guard readings.samples <= samplesMax else { throw PersonSamples.TooMuch() }
            guard let counted = block.filtered({ inside.contains($0) }).counted(order) else { return }
            for index in 0..<counted.count where counted.hasContact(index) {
                readings.counts.add(counted.values.values[index])
            }
            // With the days that its intervals reach into.
            let summary = [day: DaySummary(block, of: inside)]
            for later in 0...CountedDay.daysBefore {
                let counted = CountedDay(span.type, day.adding(days: later), in: summary, order: order)
                readings.total.merge(counted.total)
            }
        } then: {
            ($0, $0.counts.sorted())
        }
        // Their summaries are there still.
        guard !readings.isIncomplete else { return try await statisticsOfDays(span) }
        var answer = StatisticsAnswer(
            span, basis: .samples, weights: .time, Statistics(readings.total, of: span.type, counts))
        answer.withoutContact = readings.total.withoutContact
        return answer
    }

    private func statisticsOfDays(_ span: Span) async throws -> StatisticsAnswer {
        let (total, spread) = try await eachDay(span, by: .day, (SummaryValues(), ValueSpread())) {
            $0.0.merge($1.total)
            $0.1.merge($1.spread)
        }
        var answer = StatisticsAnswer(
            span, basis: .daySummaries, weights: .time, Statistics(total, of: span.type, spread))
        answer.withoutContact = total.withoutContact
        return answer
    }

    /// What one sample of a counter covers depends on the device; a day's sum does not.
    private func statisticsOfSums(_ span: Span) async throws -> StatisticsAnswer {
        let sums = try await eachDay(span, by: .day, [Double]()) {
            let total = $1.total
            if total.hasValues { $0.append(span.type.value(scaled: total.sum)) }
        }
        return StatisticsAnswer(span, basis: .daySums, weights: .none, Statistics(sums.sorted().map { ($0, 1) }))
    }

    private func statisticsOfStates(_ span: Span) async throws -> StatisticsAnswer {
        let total = try await eachDay(span, by: .day, SummaryValues()) { $0.merge($1.total) }
        var answer = StatisticsAnswer(span, basis: .stateTimes, weights: .time, Statistics(count: total.count))
        answer.states = total.stateSeconds
        return answer
    }

    /// Goes through the local days of a span, of whole weeks and months where they are asked for; of hours also through those
    /// around it, whose samples were measured in other zones.
    private func eachDay<Result: Sendable>(
        _ span: Span, by granularity: Granularity, _ initial: Result,
        _ use: @escaping @Sendable (inout Result, CountedDay) -> Void
    ) async throws -> Result {
        let days = granularity == .hour ? PersonSamples.days(from: span.from, to: span.to) : days(of: span)
        let (first, last) = (granularity.firstDay(of: days.lowerBound), granularity.lastDay(of: days.upperBound))
        let order = person.order(of: span.type)
        let summaries = try await samples.summaries(
            of: account, span.type, days: first.adding(days: -CountedDay.daysBefore)...last, person)
        return try await samples.threads.computing {
            var result = initial
            for day in CountedDay.days(of: summaries) where day >= first && day <= last {
                use(&result, CountedDay(span.type, day, in: summaries, order: order))
            }
            return result
        }
    }

    /// The person's local days that a span touches.
    private func days(of span: Span) -> ClosedRange<CalendarDate> {
        let first = person.zone.day(of: span.from)
        return first...max(first, person.zone.day(of: span.to - .milliseconds(1)))
    }
}
