import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// `ingestion.export` (ACC-13): every sample as CSV, a file for each data type; positions as GPX, too; and the values of each day, also
/// of days whose samples had to go.
///
/// What waits in no block is sealed first; what arrives while the export is made may be in it or not.
struct SampleExport: Sendable {
    /// Days of one page at most …
    private static let daysMax = 32
    /// … and about so many bytes of text, after which a page takes no further day.
    private static let textMax = 4 << 20
    /// Of dates that can be written.
    private static let allTime =
        Timestamp(milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_402_300_799_999)

    /// What a page is about.
    private enum Part: String, Codable {
        case samples, tracks, days
    }

    private struct Cursor: Codable {
        var part = Part.samples
        /// The data type's number, of samples and days.
        var type: UInt8 = 0
        /// The last day that was written.
        var after: CalendarDate?
    }

    let database: Database
    let samples: PersonSamples
    let contexts: PersonContexts
    let sealing: SealJob
    let clock: any WallClock

    /// `shard` gives the export of a person's shard.
    static func register(
        in router: inout RPCRouter, of shard: @escaping @Sendable (UUID) async throws -> SampleExport
    ) {
        router.register(Ingestion.Export.self, allow: [ServiceName.accounts.rawValue]) { params, _ in
            guard params.kind == .individual else { return Exports.Page(pieces: [], next: nil) }
            return try await shard(params.accountID).page(params)
        }
    }

    private func page(_ params: Exports.Params) async throws -> Exports.Page {
        let account = params.accountID
        let person = try await database.queryOne(
            "select number, types from person where account_id = \(account) and erased_at is null", as: Int32.self,
            Int64.self)
        guard let (number, types) = person else { return Exports.Page(pieces: [], next: nil) }
        if params.after == nil { await sealing.seal(number) }
        var cursor: Cursor = try params.cursor() ?? Cursor()
        let stored = DataType.types(in: types).sorted { $0.rawValue < $1.rawValue }
        switch cursor.part {
        case .samples:
            guard let type = stored.first(where: { $0.rawValue >= cursor.type }) else {
                return try Exports.Page([], continuing: Cursor(part: .tracks))
            }
            if type.rawValue != cursor.type { cursor = Cursor(type: type.rawValue) }
            let (piece, last) = try await table(of: type, account, number, after: cursor.after)
            cursor.after = last
            if last == nil { cursor.type = type.rawValue + 1 }
            return try Exports.Page([piece].compactMap(\.self), continuing: cursor)
        case .tracks:
            guard stored.contains(.position) else { return try Exports.Page([], continuing: Cursor(part: .days)) }
            let (piece, last) = try await tracks(account, number, after: cursor.after)
            cursor.after = last
            return try Exports.Page([piece], continuing: last == nil ? Cursor(part: .days) : cursor)
        case .days:
            let rest = stored.filter { $0.rawValue >= cursor.type && $0 != .position }
            guard let type = rest.first else { return Exports.Page(pieces: [], next: nil) }
            let piece = try await days(of: type, account, number, isFirst: cursor.type == 0)
            let pieces = [piece].compactMap(\.self)
            let next = rest.count > 1 ? Cursor(part: .days, type: type.rawValue + 1) : nil
            return try Exports.Page(pieces, continuing: next)
        }
    }

    // MARK: Samples

    /// Text of some days, and the last of them.
    private struct Text: Sendable {
        var bytes: [UInt8] = []
        var last: CalendarDate?
        var isFull = false
    }

    /// The next days of a data type; `last` is `nil` when there are no further ones.
    private func table(
        of type: DataType, _ account: UUID, _ person: Int32, after: CalendarDate?
    ) async throws -> (piece: Exports.Piece?, last: CalendarDate?) {
        let names = try await SourceNames(of: account, in: database, samples.keys)
        let start = Text(bytes: after == nil ? SampleCSV.headerWithSource : [])
        let (text, last) = try await text(of: type, account, person, after: after, into: start) { text, block in
            for source in block.sources {
                for series in source.batch.series(samplesMax: SeriesAnswer.pieceSamplesMax) {
                    text.bytes += SampleCSV.lines(series, source: names.name(of: source.source))
                }
            }
        }
        guard !text.isEmpty else { return (nil, last) }
        return (try await piece("samples/\(type.name).csv", text), last)
    }

    /// The next days of positions as GPX, a track for each day and source.
    private func tracks(
        _ account: UUID, _ person: Int32, after: CalendarDate?
    ) async throws -> (piece: Exports.Piece, last: CalendarDate?) {
        var head = GPXWriter(createdAt: clock.now())
        // Once for all pages.
        let begin = head.take()
        let (body, last) = try await text(
            of: .position, account, person, after: after, into: Text(bytes: after == nil ? begin : [])
        ) { text, block in
            var writer = GPXWriter(createdAt: .init(milliseconds: 0))
            _ = writer.take()
            for source in block.sources where source.count > 0 {
                writer.beginTrack()
                for index in 0..<source.count { if let fix = source.positions.fix(index) { writer.add(fix) } }
                writer.endTrack()
            }
            text.bytes += writer.take()
        }
        guard last == nil else { return (try await piece("samples/position.gpx", body), last) }
        head.finish()
        return (try await piece("samples/position.gpx", body + head.take()), nil)
    }

    /// Goes through the next days of a type; the text, and the last day unless no further ones follow.
    private func text(
        of type: DataType, _ account: UUID, _ person: Int32, after: CalendarDate?, into start: Text,
        _ add: @escaping @Sendable (inout Text, BlockSamples) throws -> Void
    ) async throws -> (text: [UInt8], last: CalendarDate?) {
        let days = try await database.query(
            """
            select day from block where person = \(person) and type = \(Int16(type.rawValue))
              and (\(after)::date is null or day > \(after)) order by day limit \(Self.daysMax)
            """, as: CalendarDate.self)
        // What could not be sealed lies before, between and after the days of blocks.
        let hasMore = days.count == Self.daysMax
        let from = after.map { $0.adding(days: 1).startUTC } ?? Self.allTime.lowerBound
        let to = hasMore ? days[days.count - 1].adding(days: 1).startUTC : Self.allTime.upperBound
        let text = try await samples.reduce(of: account, type, from: from, to: to, into: start) { text, day, block in
            if let after, day <= after { return }
            guard !text.isFull else { return }
            if let block { try add(&text, block) }
            text.last = day
            text.isFull = text.bytes.count >= Self.textMax
        } then: {
            $0
        }
        return (text.bytes, text.isFull || hasMore ? text.last ?? days.last : nil)
    }

    private func piece(_ path: String, _ text: [UInt8]) async throws -> Exports.Piece {
        try await samples.threads.computing {
            var files = ExportFiles()
            try files.add(path, text)
            return files.pieces
        }.first ?? Exports.Piece(path: path, deflated: "", checksum: 0, count: 0)
    }

    // MARK: Days

    /// The values of each local day of a data type.
    private func days(
        of type: DataType, _ account: UUID, _ person: Int32, isFirst: Bool
    ) async throws -> Exports.Piece? {
        let span = try await database.queryOne(
            "select min(day), max(day) from block where person = \(person) and type = \(Int16(type.rawValue))",
            as: CalendarDate?.self, CalendarDate?.self)
        guard let first = span?.0, let last = span?.1 else { return nil }
        let all = Span(
            type: type, from: first.adding(days: -1).startUTC, to: last.adding(days: 2).startUTC)
        let context = try await contexts.context(of: account)
        let counted = CountedSamples(samples: samples, person: context, account: account)
        let buckets = try await counted.buckets(all, by: .day).ordered(in: context.zone)
        let answer = SeriesAnswer(type: type, from: all.from, to: all.to, granularity: .day)
        let table = SeriesTable.table(answer, buckets.map { SeriesAnswer.Bucket($0, of: type) }, withHeader: isFirst)
        return table.isEmpty ? nil : try await piece("samples/days.csv", table)
    }
}
