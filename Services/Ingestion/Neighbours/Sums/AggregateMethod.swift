import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Service

/// `ingestion.aggregate`: a person's samples that count, summed up (SUB-01, ACC-14).
struct AggregateMethod: Sendable {
    /// Steps of one answer, each of a longer span than the one before, so that little data of many years takes few answers.
    private static let stepsMax = 8

    let database: Database
    let samples: PersonSamples
    let contexts: PersonContexts

    /// `shard` gives the method of a person's shard. What is handed over is in the audit trail before it is.
    static func register(
        in router: inout RPCRouter, noting audit: AuditWriter,
        of shard: @escaping @Sendable (UUID) async throws -> AggregateMethod
    ) {
        router.register(Ingestion.Aggregate.self, allow: [ServiceName.query.rawValue]) { params, context in
            let entry = try AuditWriter.Reading(
                Ingestion.Aggregate.self, of: params.accountID, by: context.caller, params.reason)
            let method = try await shard(params.accountID)
            let result = try await SumQuestion.answer(params.accountID, in: method.database) {
                try await method.read(params)
            }
            if !result.series.isEmpty { try await audit.note(entry) }
            return result
        }
    }

    private func read(_ params: Ingestion.Aggregate.Params) async throws -> Ingestion.Aggregate.Result {
        let types = SumQuestion.types(params.types)
        let least = max(1, types.count)
        guard (least...Ingestion.Aggregate.bucketsMax).contains(params.limit) else {
            throw RPCError(.invalidParams, "limit must be from \(least) to \(Ingestion.Aggregate.bucketsMax).")
        }
        let start = max(params.from, params.startFrom ?? params.from, SumQuestion.days.lowerBound.startUTC)
        let stop = min(params.to, params.startTo ?? params.to, SumQuestion.days.upperBound.startUTC)
        guard start < stop, !types.isEmpty else { return .init(series: [], next: nil) }
        let sums = WholeBuckets(
            samples: samples, person: try await contexts.context(of: params.accountID), account: params.accountID,
            granularity: Granularity(params.granularity), period: SumQuestion.period(params.from, params.to))
        let (found, end) = try await read(sums, types, from: start, to: stop, limit: params.limit)
        return Self.answer(found, read: end < stop ? end : nil, limit: params.limit)
    }

    /// The buckets that start in a span, or up to when they were read; more than the limit when there are more.
    private func read(
        _ sums: WholeBuckets, _ types: [DataType], from start: Timestamp, to stop: Timestamp, limit: Int
    ) async throws -> (found: [WholeBuckets.Bucket], end: Timestamp) {
        var (found, next) = ([WholeBuckets.Bucket](), start)
        let daysMax = sums.daysMax(of: types.count)
        var days = sums.days(of: types.count, holding: 4 * limit)
        for _ in 0..<Self.stepsMax {
            let end = min(stop, next + .milliseconds(Int64(days) * LocalTime.dayMilliseconds))
            do {
                found += try await sums.starting(from: next, to: end, of: types)
            } catch is PersonSamples.TooMuch where days > 1 {
                days = max(1, days / 4)
                continue
            }
            next = end
            guard next < stop, found.count <= limit else { break }
            days = min(daysMax, 2 * days)
        }
        // Each step held too much.
        guard next > start else { throw PersonSamples.TooMuch() }
        return (found, next)
    }

    /// As many of the first as fit; those that start at the same time stay together.
    private static func answer(
        _ found: [WholeBuckets.Bucket], read next: Timestamp?, limit: Int
    ) -> Ingestion.Aggregate.Result {
        let ordered = found.sorted { ($0.start, $0.type.rawValue) < ($1.start, $1.type.rawValue) }
        let isWhole = ordered.count <= limit
        let end = isWhole ? next : ordered[limit].start
        let given = isWhole ? ordered : Array(ordered.prefix { $0.start < ordered[limit].start })
        let series = Dictionary(grouping: given, by: \.type).sorted { $0.key.rawValue < $1.key.rawValue }.map {
            type, buckets in
            Ingestion.Aggregate.Series(type: type, unit: type.unit.description, buckets: buckets.map(\.told))
        }
        return .init(series: series, next: end)
    }
}

extension Granularity {
    init(_ told: Ingestion.Granularity) {
        switch told {
        case .minute: self = .minute
        case .hour: self = .hour
        case .day: self = .day
        case .week: self = .week
        }
    }
}

extension WholeBuckets.Bucket {
    fileprivate var told: Ingestion.Aggregate.Bucket {
        var told = Ingestion.Aggregate.Bucket(start: start, end: end, count: values.count)
        switch type.kind {
        case .rate:
            told.mean = values.mean.map { $0 / type.scale }
            if values.count > 0 {
                (told.min, told.max) = (type.value(scaled: values.min), type.value(scaled: values.max))
            }
        case .counter: told.sum = type.value(scaled: values.sum)
        case .state:
            told.states = values.states.sorted { $0.key < $1.key }.map {
                .init(state: $0.key, seconds: Double($0.value) / 1000)
            }
        case .position: break
        }
        return told
    }
}
