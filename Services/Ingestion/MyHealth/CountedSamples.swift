import Domain
import Primitives

/// What counts of a person's samples of one data type: of several sources one per hour. Computed on worker threads.
struct CountedSamples: Sendable {
    /// Statistics of spans up to so long are computed from samples, those of longer ones from the summaries of days.
    static let samplesSpanMax = Duration.seconds(31 * 86_400)

    let samples: PersonSamples
    let person: PersonContext
    let account: UUID

    /// The buckets of a span; hours and longer ones from summaries.
    func buckets(_ span: Span, by granularity: Granularity) async throws -> Buckets {
        let order = person.order(of: span.type)
        let empty = Buckets(type: span.type, granularity: granularity, from: span.from, to: span.to)
        guard granularity == .minute else {
            return try await eachDay(span, by: granularity, empty) { $0.add($1) }
        }
        let blocks = try await samples.blocks(of: account, span.type, from: span.from, to: span.to, person)
        return try await samples.threads.computing {
            var buckets = empty
            for block in blocks where !buckets.isOverfull { buckets.add(minutesOf: block, order: order) }
            return buckets
        }
    }

    func statistics(_ span: Span) async throws -> StatisticsAnswer {
        switch span.type.kind {
        case .rate where span.to - span.from <= Self.samplesSpanMax: try await statisticsOfSamples(span)
        case .rate: try await statisticsOfDays(span)
        case .counter: try await statisticsOfSums(span)
        case .state, .position: try await statisticsOfStates(span)
        }
    }

    private func statisticsOfSamples(_ span: Span) async throws -> StatisticsAnswer {
        let (start, end, order) = (span.from.millisecondsUp, span.to.millisecondsUp, person.order(of: span.type))
        let blocks = try await samples.blocks(of: account, span.type, from: span.from, to: span.to, person)
        let (total, counts) = try await samples.threads.computing {
            var (total, counts) = (SummaryValues(), ValueCounts())
            for block in blocks {
                let inside = block.filtered { $0 >= start && $0 < end }
                guard let counted = inside.counted(order) else { continue }
                for index in 0..<counted.count where counted.hasContact(index) {
                    counts.add(counted.values.values[index])
                }
                // With the days that its intervals reach into.
                let summary = [block.day: DaySummary(inside)]
                for later in 0...CountedDay.daysBefore {
                    let day = block.day.adding(days: later)
                    total.merge(CountedDay(span.type, day, in: summary, order: order).total)
                }
            }
            return (total, counts.sorted())
        }
        var answer = StatisticsAnswer(
            span, basis: .samples, weights: .time, Statistics(total, of: span.type, counts))
        answer.withoutContact = total.withoutContact
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

    /// Goes through the local days of a span, of whole weeks and months where they are asked for.
    private func eachDay<Result: Sendable>(
        _ span: Span, by granularity: Granularity, _ initial: Result,
        _ use: @escaping @Sendable (inout Result, CountedDay) -> Void
    ) async throws -> Result {
        let first = granularity.firstDay(of: person.zone.day(of: span.from))
        let last = max(first, granularity.lastDay(of: person.zone.day(of: span.to - .milliseconds(1))))
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
}
