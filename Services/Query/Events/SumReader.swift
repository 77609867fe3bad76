import Contracts
import Domain
import JSON
import Primitives
import RPC
import Telemetry

/// Sums of one data type: those of a span, which take the place of all that were given for it before.
struct Sums: Codable, Sendable, Equatable {
    var type: DataType
    /// The canonical one.
    var unit: String
    var granularity: ConsentRequest.Granularity
    /// From here …
    var from: Timestamp
    /// … to before here there are no others than these, of which there may be none.
    var to: Timestamp
    var buckets: [Ingestion.Aggregate.Bucket]
}

/// Reads sums of subscriptions that ask for a granularity (SUB-01): each soon after its time is over, and again when what arrives
/// late changes it.
struct SumReader: Sendable {
    /// So long after its end a sum is given: devices send every 30 s.
    static let settling = Duration.seconds(60)
    /// Sums of one event.
    static let bucketsMax = 2000
    /// Spans of a reading; of more those of each data type become one.
    static let spansMax = 256
    /// Requests that are read at the same time.
    private static let togetherMax = 8

    let ingestion: any RPCCaller
    let clock: any WallClock

    func read(_ readings: [Reading]) async throws -> [ReadingTurn] {
        var turns: [ReadingTurn] = []
        try await withThrowingTaskGroup(of: ReadingTurn.self) { group in
            for (number, reading) in readings.enumerated() {
                if number >= Self.togetherMax, let turn = try await group.next() { turns.append(turn) }
                group.addTask { await read(reading) }
            }
            for try await turn in group { turns.append(turn) }
        }
        return turns
    }

    private func read(_ reading: Reading) async -> ReadingTurn {
        var turn = ReadingTurn(before: reading, after: reading)
        do {
            try await look(&turn)
        } catch let error as RPCError where error.code == .notFound {
            // Of somebody whose data is deleted there is nothing.
        } catch { turn.failure = Log.text(of: error) }
        return turn
    }

    private func look(_ turn: inout ReadingTurn) async throws {
        let reading = turn.before
        guard let granularity = Ingestion.Granularity(rawValue: reading.granularity.rawValue) else { return }
        let types = reading.types.filter { $0 != .position }
        guard !types.isEmpty else { return }
        let touched = try await ingestion.call(
            Ingestion.Touched.self,
            .init(
                accountID: reading.individual, types: types, granularity: granularity, from: reading.from,
                to: reading.to, after: reading.place.position, reason: reading.reason))
        var place = ReadingPlace(position: touched.next, touched: reading.place.touched)
        place.add(touched.series, spansMax: Self.spansMax)
        let settled = clock.now() - Self.settling
        var isMore = touched.hasMore
        // Where the time of the next sum is not over yet, other data types may have some.
        var waiting: Set<TouchedGroup> = []
        while turn.data == nil, let group = place.due(before: settled, except: waiting) {
            let answer = try await ingestion.call(
                Ingestion.Aggregate.self,
                .init(
                    accountID: reading.individual, types: group.types, granularity: granularity, from: reading.from,
                    to: reading.to, startFrom: group.start, startTo: min(group.end, settled), limit: Self.bucketsMax,
                    reason: reading.reason))
            let covered = Self.covered(answer, of: group, granularity, settled: settled)
            guard covered > group.start else {
                waiting.insert(group)
                continue
            }
            place.cover(group, to: covered)
            // Also of data types without values: there may have been some, which another source has taken the place of.
            let sums = group.types.map { type in
                let series = answer.series.first { $0.type == type }
                return Sums(
                    type: type, unit: series?.unit ?? type.unit.description, granularity: reading.granularity,
                    from: group.start, to: covered,
                    buckets: (series?.buckets ?? []).filter { $0.end <= covered && $0.start >= group.start })
            }
            turn.data = try Event.Content(sums: sums)
            // What is left of it waits, or goes on at `next`.
            if answer.next == nil { waiting.formUnion(place.groups.filter { $0.start == covered }) }
        }
        isMore = isMore || place.due(before: settled, except: waiting) != nil
        turn.after.place = place
        turn.hasMore = isMore
    }

    /// Up to where all sums of a group are known now: those whose time is not over yet wait.
    private static func covered(
        _ answer: Ingestion.Aggregate.Result, of group: TouchedGroup, _ granularity: Ingestion.Granularity,
        settled: Timestamp
    ) -> Timestamp {
        if let next = answer.next { return next }
        guard group.end > settled else { return group.end }
        // Minutes are those of UTC; others end where the person is, which only the sums themselves tell.
        guard granularity != .minute else {
            return max(group.start, Timestamp(milliseconds: settled.milliseconds / 60_000 * 60_000))
        }
        let buckets = answer.series.flatMap(\.buckets)
        let open = buckets.filter { $0.end > settled }.map(\.start).min()
        return max(group.start, open ?? buckets.map(\.end).max() ?? group.start)
    }
}

/// Spans of several data types that were touched alike: they are read together.
struct TouchedGroup: Hashable, Sendable {
    let start: Timestamp
    let end: Timestamp
    let types: [DataType]
}

extension ReadingPlace {
    /// In the order of time.
    var groups: [TouchedGroup] {
        Dictionary(grouping: touched) { [$0.start, $0.end] }.values.compactMap { spans in
            spans.first.map { TouchedGroup(start: $0.start, end: $0.end, types: spans.map(\.type)) }
        }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// The first that begins before then.
    func due(before time: Timestamp, except waiting: Set<TouchedGroup>) -> TouchedGroup? {
        groups.first { $0.start < time && !waiting.contains($0) }
    }

    /// The sums of a group are given up to there.
    mutating func cover(_ group: TouchedGroup, to end: Timestamp) {
        touched.removeAll { $0.start == group.start && $0.end == group.end }
        guard end < group.end else { return }
        touched += group.types.map { TouchedSpan(type: $0, start: end, end: group.end) }
        touched.sort { ($0.start, $0.type.rawValue) < ($1.start, $1.type.rawValue) }
    }

    /// Spans that overlap or follow each other become one.
    mutating func add(_ series: [Ingestion.Touched.Series], spansMax: Int) {
        var byType: [DataType: [TouchedSpan]] = Dictionary(grouping: touched, by: \.type)
        for one in series {
            byType[one.type, default: []] += one.spans.map { .init(type: one.type, start: $0.start, end: $0.end) }
        }
        let isTooMany = byType.values.reduce(0) { $0 + $1.count } > spansMax
        touched = byType.values.flatMap { Self.joined($0, all: isTooMany) }
            .sorted { ($0.start, $0.type.rawValue) < ($1.start, $1.type.rawValue) }
    }

    private static func joined(_ spans: [TouchedSpan], all: Bool) -> [TouchedSpan] {
        var joined: [TouchedSpan] = []
        for span in spans.sorted(by: { $0.start < $1.start }) {
            if let last = joined.last, all || span.start <= last.end {
                joined[joined.count - 1].end = max(last.end, span.end)
            } else {
                joined.append(span)
            }
        }
        return joined
    }
}
