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

    private var scan: SampleScan { SampleScan(samples: samples) }

    func add(to routes: inout ServiceRoutes) {
        routes.on(.get, "/ingestion/v1/me/latest", access: .account(.individual)) { _, caller in
            let latest = LatestSamples(database: database, samples: samples)
            return try .json(LatestAnswer(latest: try await latest.read(caller.account)))
        }
        routes.on(.get, "/ingestion/v1/me/series", access: .account(.individual), query: .read) { request, caller in
            try await Self.withinLimit { try .json(try await series(request, of: caller.account)) }
        }
        routes.on(.get, "/ingestion/v1/me/statistics", access: .account(.individual), query: .read) { request, caller in
            try await Self.withinLimit { try .json(try await statistics(request, of: caller.account)) }
        }
    }

    private static func withinLimit(_ body: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do { return try await body() } catch is PersonSamples.TooMuch {
            throw Problem(parameter: "from", "the span holds too many samples; ask for a shorter one")
        }
    }

    private func series(_ request: HTTPRequest, of account: UUID) async throws -> SeriesAnswer {
        let (span, granularity, pointsMax) = try request.parameters { (query) throws(Problem) in
            let granularity = query.choice("granularity", of: Granularity.self) ?? .raw
            let pointsMax = query.number("max_points", 2...Self.pointsMaxLimit) ?? Self.pointsMaxDefault
            return (try Span(&query), granularity, pointsMax)
        }
        var answer = SeriesAnswer(type: span.type, from: span.from, to: span.to, granularity: granularity)
        if granularity == .raw {
            guard
                let raw = try await RawSeries(scan: scan).read(
                    account, span.type, from: span.from, to: span.to, pointsMax: pointsMax)
            else { throw Problem(parameter: "from", "the span holds more than \(RawSeries.samplesMax) samples") }
            let shown = raw.series.reduce(0) { $0 + $1.count }
            answer.series = raw.series
            if shown < raw.count {
                let method = span.type == .position ? "every-nth" : "least-and-greatest"
                answer.thinned = .init(samples: raw.count, shown: shown, method: method)
            }
            return answer
        }
        guard span.type != .position else { throw Problem(parameter: "granularity", "positions are given raw only") }
        var buckets = Buckets(type: span.type, granularity: granularity)
        try await scan.eachValue(of: account, span.type, from: span.from, to: span.to) {
            buckets.add($1, of: $0)
            return !buckets.isOverfull
        }
        guard !buckets.isOverfull else {
            throw Problem(parameter: "granularity", "the span holds more than \(Buckets.countMax) of these")
        }
        answer.buckets = buckets.ordered.map { .init($0.start, $0.bucket, span.type.kind) }
        return answer
    }

    private func statistics(_ request: HTTPRequest, of account: UUID) async throws -> StatisticsAnswer {
        let span = try request.parameters { (query) throws(Problem) in try Span(&query) }
        switch span.type.kind {
        case .rate:
            var counts = ValueCounts()
            var withoutContact = 0
            try await scan.eachValue(of: account, span.type, from: span.from, to: span.to) { column, index in
                if column.hasContact(index) { counts.add(column.values[index]) } else { withoutContact += 1 }
                return true
            }
            let values = counts.sorted().map { (span.type.value(scaled: $0.value), $0.count) }
            return StatisticsAnswer(span, basis: .samples, Statistics(values), withoutContact: withoutContact)
        case .counter:
            // What one sample of a counter covers depends on the device; a day's sum does not.
            var days = Buckets(type: span.type, granularity: .day)
            try await scan.eachValue(of: account, span.type, from: span.from, to: span.to) {
                days.add($1, of: $0)
                return !days.isOverfull
            }
            guard !days.isOverfull else {
                throw Problem(parameter: "from", "the span holds more than \(Buckets.countMax) days")
            }
            let sums = days.buckets.values.map(\.sum).sorted().map { ($0, 1) }
            return StatisticsAnswer(span, basis: .daySums, Statistics(sums))
        case .state, .position:
            throw Problem(parameter: "type", "there are no statistics of \(span.type.name)")
        }
    }
}

/// `GET /me/statistics`.
struct StatisticsAnswer: Encodable, Sendable {
    /// What the statistics are computed from.
    enum Basis: String, Encodable, Sendable {
        case samples
        /// For counters; of UTC days.
        case daySums = "day-sums"
    }

    let type: DataType
    let unit: String
    let from: Timestamp
    let to: Timestamp
    let basis: Basis
    let statistics: Statistics
    /// Number of readings of a sensor that did not touch the person, which are no values; for samples only.
    let withoutContact: Int?

    init(_ span: Span, basis: Basis, _ statistics: Statistics, withoutContact: Int? = nil) {
        type = span.type
        unit = span.type.unit.description
        from = span.from
        to = span.to
        self.basis = basis
        self.statistics = statistics
        self.withoutContact = withoutContact
    }
}

/// The data type and span of time of a question.
struct Span: Sendable {
    let type: DataType
    let from: Timestamp
    let to: Timestamp

    init(_ query: inout QueryReader) throws(Problem) {
        let (type, from, to) = (
            Self.type(&query), query.value("from", as: Timestamp.self), query.value("to", as: Timestamp.self)
        )
        if let from, let to, from >= to { query.refuse("to", "write a time after from") }
        self.type = try query.required("type", type)
        self.from = try query.required("from", from)
        self.to = try query.required("to", to)
    }

    private static func type(_ query: inout QueryReader) -> DataType? {
        guard let name = query.text("type") else { return nil }
        if let type = DataType(name: name) { return type }
        query.refuse("type", "write one of \(DataType.allCases.map(\.name).joined(separator: ", "))")
        return nil
    }
}
