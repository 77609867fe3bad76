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
            let touched = days(of: span)
            // Of hours also the days around it, for what was measured in other zones.
            let around = granularity == .hour ? 1 : 0
            let first = granularity.firstDay(of: touched.lowerBound).adding(days: -around)
            let last = granularity.lastDay(of: touched.upperBound).adding(days: around)
            return try await eachDay(first...last, span, empty) { $0.add($1) }
        }
        return try await samples.reduce(
            of: account, span.type, from: span.from - Measurement.durationMax, to: span.to, person,
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
        let (order, inside) = (person.order(of: span.type), span.milliseconds)
        let (readings, counts) = try await samples.reduce(
            of: account, span.type, from: span.from, to: span.to, person, into: Readings()
        ) { readings, day, block in
            guard let block else {
                readings.isIncomplete = true
                return
            }
            readings.samples += block.count
            guard readings.samples <= samplesMax else { throw PersonSamples.TooMuch() }
            guard let counted = block.filtered({ inside.contains($0) }).counted(order) else { return }
            for index in 0..<counted.count where counted.hasContact(index) {
                readings.counts.add(counted.values.values[index])
            }
            for counted in CountedDay.days(of: span.type, in: [day: DaySummary(block, of: inside)], order: order) {
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
        let (total, spread) = try await eachDay(
            days(of: span), span, within: span.milliseconds, (SummaryValues(), ValueSpread())
        ) {
            $0.0.merge($1.total)
            $0.1.merge($1.spread)
        }
        var answer = StatisticsAnswer(
            span, basis: .daySummaries, weights: .time, Statistics(total, of: span.type, spread))
        answer.withoutContact = total.withoutContact
        return answer
    }

    /// What one sample of a counter covers depends on the device; the sum of a day does not, or of an hour in spans that no day lies
    /// in as a whole.
    private func statisticsOfSums(_ span: Span) async throws -> StatisticsAnswer {
        let whole = wholeDays(of: span)
        let sums: [Double]
        if let whole {
            sums = try await eachDay(whole, span, [Double]()) { $0 += Self.sums([$1.total], span.type) }
        } else {
            let end = span.to.millisecondsUp &- LocalTime.hourMilliseconds
            sums = try await eachDay(days(of: span), span, [Double]()) {
                let hours = $1.hours.filter { $0.start >= span.from.millisecondsUp && $0.start <= end }
                $0 += Self.sums(hours.map(\.values), span.type)
            }
        }
        return StatisticsAnswer(
            span, basis: whole == nil ? .hourSums : .daySums, weights: .none, Statistics(sums.sorted().map { ($0, 1) }))
    }

    private static func sums(_ totals: [SummaryValues], _ type: DataType) -> [Double] {
        totals.filter(\.hasValues).map { type.value(scaled: $0.sum) }
    }

    private func statisticsOfStates(_ span: Span) async throws -> StatisticsAnswer {
        let total = try await eachDay(days(of: span), span, within: span.milliseconds, SummaryValues()) {
            $0.merge($1.total)
        }
        var answer = StatisticsAnswer(span, basis: .stateTimes, weights: .time, Statistics(count: total.count))
        answer.states = total.stateSeconds
        return answer
    }

    /// Goes through local days of the person; or, whatever their zone, through those with hours that begin within a span of time, and
    /// only these hours.
    private func eachDay<Result: Sendable>(
        _ days: ClosedRange<CalendarDate>, _ span: Span, within: Range<Int64>? = nil, _ initial: Result,
        _ use: @escaping @Sendable (inout Result, CountedDay) -> Void
    ) async throws -> Result {
        let order = person.order(of: span.type)
        let summaries = try await samples.summaries(
            of: account, span.type, days: CountedDay.blockDays(of: days), person)
        return try await samples.threads.computing {
            var result = initial
            let counted = CountedDay.days(
                of: span.type, in: summaries, order: order, within: within ?? .min ..< .max)
            for day in counted where within != nil || days.contains(day.day) { use(&result, day) }
            return result
        }
    }

    /// The person's local days that a span touches.
    private func days(of span: Span) -> ClosedRange<CalendarDate> {
        let first = person.zone.day(of: span.from)
        return first...max(first, person.zone.day(of: span.to - .milliseconds(1)))
    }

    /// Those that lie in it as a whole.
    private func wholeDays(of span: Span) -> ClosedRange<CalendarDate>? {
        let touched = days(of: span)
        let isBegun = person.zone.start(of: touched.lowerBound) < span.from
        let isOver = person.zone.start(of: touched.upperBound.adding(days: 1)) <= span.to
        let first = touched.lowerBound.adding(days: isBegun ? 1 : 0)
        let last = touched.upperBound.adding(days: isOver ? 0 : -1)
        return first <= last ? first...last : nil
    }
}
