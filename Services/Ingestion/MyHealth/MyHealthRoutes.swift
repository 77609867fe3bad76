import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Security
import Service

/// Routes with which individuals read their own samples (ING-06).
struct MyHealthRoutes: Sendable {
    static let pointsMaxDefault = 5000
    static let pointsMaxLimit = 100_000

    private struct LatestAnswer: Encodable {
        let latest: [LatestSamples.Latest]
    }

    let database: Database
    let samples: PersonSamples
    let contexts: PersonContexts

    /// `shard` gives the routes of a person's shard.
    static func add(
        to routes: inout ServiceRoutes, of shard: @escaping @Sendable (UUID) async throws -> MyHealthRoutes
    ) {
        routes.onQuestion("/ingestion/v1/me/latest") { _, caller in
            let own = try await shard(caller.account)
            let latest = LatestSamples(database: own.database, samples: own.samples)
            return try .json(LatestAnswer(latest: try await latest.read(caller.account)))
        }
        routes.onQuestion("/ingestion/v1/me/series", query: .read) { request, caller in
            let own = try await shard(caller.account)
            return try await withinLimit { try await own.series(request, of: caller.account) }
        }
        routes.onQuestion("/ingestion/v1/me/statistics", query: .read) { request, caller in
            let own = try await shard(caller.account)
            return try await withinLimit { try .json(try await own.statistics(request, of: caller.account)) }
        }
    }

    private static func withinLimit(_ body: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do { return try await body() } catch is PersonSamples.TooMuch {
            throw Problem(parameter: "from", "the span holds too many samples; ask for a shorter one")
        }
    }

    /// As JSON or as a table, which is not thinned.
    private func series(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        let isTable = try request.negotiate([.json, .csv]) == .csv
        let (span, granularity, pointsMax) = try request.parameters { (query) throws(Problem) in
            let granularity = query.choice("granularity", of: Granularity.self) ?? .raw
            let pointsMax = query.number("max_points", 2...Self.pointsMaxLimit) ?? Self.pointsMaxDefault
            return (try Span(&query), granularity, pointsMax)
        }
        var answer = SeriesAnswer(type: span.type, from: span.from, to: span.to, granularity: granularity)
        if granularity == .raw {
            let held = try HeldSamples.ofProcess.reserve(isTable ? PersonSamples.samplesMax : pointsMax, for: account)
            let reader = RawSeries(samples: samples)
            if isTable {
                let sources = try await reader.bySource(account, span.type, from: span.from, to: span.to)
                held.shrink(to: sources.reduce(0) { $1.series.reduce($0) { $0 + $1.count } })
                // Afterwards: sources come before their samples.
                let names = try await SourceNames(of: account, in: database, samples.keys)
                return SeriesTable.response(sources, names, by: samples.threads).holding(held)
            }
            let raw = try await reader.read(account, span.type, from: span.from, to: span.to, pointsMax: pointsMax)
            let shown = raw.series.reduce(0) { $0 + $1.count }
            held.shrink(to: shown)
            answer.series = raw.series
            if shown < raw.count {
                let method = span.type == .position ? "every-nth" : "least-and-greatest"
                answer.thinned = .init(samples: raw.count, shown: shown, method: method)
            }
            return try await answer.response(on: samples.threads).holding(held)
        }
        guard span.type != .position else { throw Problem(parameter: "granularity", "positions are given raw only") }
        let held = try HeldSamples.ofProcess.reserve(HeldSamples.perBucket * Buckets.countMax, for: account)
        let person = try await contexts.context(of: account)
        let counted = CountedSamples(samples: samples, person: person, account: account)
        let buckets = try await counted.buckets(span, by: granularity)
        guard !buckets.isOverfull else {
            throw Problem(parameter: "granularity", "the span holds more than \(Buckets.countMax) of these")
        }
        let shown = buckets.ordered(in: person.zone).map { SeriesAnswer.Bucket($0, of: span.type) }
        held.shrink(to: HeldSamples.perBucket * shown.count)
        if isTable { return SeriesTable.response(answer, shown, by: samples.threads).holding(held) }
        answer.buckets = shown
        return try await answer.response(on: samples.threads)
    }

    private func statistics(_ request: HTTPRequest, of account: UUID) async throws -> StatisticsAnswer {
        let span = try request.parameters { (query) throws(Problem) in try Span(&query) }
        guard span.type != .position else {
            throw Problem(parameter: "type", "there are no statistics of \(span.type.name)")
        }
        let person = try await contexts.context(of: account)
        return try await CountedSamples(samples: samples, person: person, account: account).statistics(span)
    }
}

/// The data type and span of time of a question.
struct Span: Sendable {
    let type: DataType
    let from: Timestamp
    let to: Timestamp

    /// Since 1970; samples are told in whole ones.
    var milliseconds: Range<Int64> { from.millisecondsUp..<max(from.millisecondsUp, to.millisecondsUp) }

    init(type: DataType, from: Timestamp, to: Timestamp) {
        self.type = type
        self.from = from
        self.to = to
    }

    init(_ query: inout QueryReader) throws(Problem) {
        let type = query.dataType("type")
        let (from, to) = query.bounds()
        self.type = try query.required("type", type)
        self.from = try query.required("from", from)
        self.to = try query.required("to", to)
    }
}

extension QueryReader {
    /// A parameter that names a data type; one that names none is refused.
    mutating func dataType(_ parameter: String) -> DataType? {
        guard let name = text(parameter) else { return nil }
        if let type = DataType(name: name) { return type }
        refuse(parameter, "write one of \(DataType.allCases.map(\.name).joined(separator: ", "))")
        return nil
    }
}
