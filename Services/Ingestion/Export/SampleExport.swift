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
    /// Days of one part of a page, which is one piece of work for the worker threads, and bytes of their blocks: about a megabyte of
    /// text …
    private static let (daysMax, sealedMax) = (8, 20 << 10)
    /// … but of equal values a block has very many: then a part stops after so many bytes of text, and the rest is made with the next
    /// page.
    private static let textMax = 4 << 20
    /// Parts of a page, and how many are made at the same time.
    private static let (partsMax, atOnceMax) = (4, 2)
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
            let (pieces, last) = try await table(of: type, account, number, after: cursor.after)
            cursor.after = last
            if last == nil { cursor.type = type.rawValue + 1 }
            return try Exports.Page(pieces, continuing: cursor)
        case .tracks:
            guard stored.contains(.position) else { return try Exports.Page([], continuing: Cursor(part: .days)) }
            let (pieces, last) = try await tracks(account, number, after: cursor.after)
            cursor.after = last
            return try Exports.Page(pieces, continuing: last == nil ? Cursor(part: .days) : cursor)
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

    /// A file of samples: what it is called, how it begins and ends, and the text of a day.
    private struct File: Sendable {
        let path: String
        var begin: [UInt8] = []
        var end: [UInt8] = []
        let day: @Sendable (BlockSamples) -> [UInt8]
    }

    /// The next days of a data type; `last` is `nil` when there are no further ones.
    private func table(
        of type: DataType, _ account: UUID, _ person: Int32, after: CalendarDate?
    ) async throws -> (pieces: [Exports.Piece], last: CalendarDate?) {
        let names = try await SourceNames(of: account, in: database, samples.keys)
        let file = File(path: "samples/\(type.name).csv", begin: SampleCSV.headerWithSource) { block in
            block.sources.flatMap { source in
                source.batch.series(samplesMax: SeriesAnswer.pieceSamplesMax).reduce(into: []) {
                    $0 += SampleCSV.lines($1, source: names.name(of: source.source))
                }
            }
        }
        return try await pieces(of: file, type, account, person, after: after)
    }

    /// The next days of positions as GPX, a track for each day and source.
    private func tracks(
        _ account: UUID, _ person: Int32, after: CalendarDate?
    ) async throws -> (pieces: [Exports.Piece], last: CalendarDate?) {
        var head = GPXWriter(createdAt: clock.now())
        let begin = head.take()
        head.finish()
        let file = File(path: "samples/position.gpx", begin: begin, end: head.take()) { block in
            var writer = GPXWriter(createdAt: .init(milliseconds: 0))
            _ = writer.take()
            for source in block.sources where source.count > 0 {
                writer.beginTrack()
                for index in 0..<source.count { if let fix = source.positions.fix(index) { writer.add(fix) } }
                writer.endTrack()
            }
            return writer.take()
        }
        return try await pieces(of: file, .position, account, person, after: after)
    }

    /// Days of a page that are one piece of work: those after `after` until `through`, or all that follow.
    private struct Days: Sendable {
        let after: CalendarDate?
        let through: CalendarDate?
    }

    private struct Made: Sendable {
        var text: [UInt8] = []
        var last: CalendarDate?
        /// It stopped after `last`, with more to come.
        var hasStopped = false
        var pieces: [Exports.Piece] = []
    }

    /// The next days of a file; `last` is the last day unless no further ones follow.
    private func pieces(
        of file: File, _ type: DataType, _ account: UUID, _ person: Int32, after: CalendarDate?
    ) async throws -> (pieces: [Exports.Piece], last: CalendarDate?) {
        let days = try await database.query(
            """
            select day, coalesce(octet_length(samples), 0) from block
            where person = \(person) and type = \(Int16(type.rawValue)) and (\(after)::date is null or day > \(after))
            order by day limit \(Self.daysMax * Self.partsMax)
            """, as: CalendarDate.self, Int.self)
        let parts = Self.parts(of: days, after: after)
        var made: [Int: Made] = [:]
        try await withThrowingTaskGroup(of: (Int, Made).self) { group in
            for (number, part) in parts.enumerated() {
                if number >= Self.atOnceMax, let (done, piece) = try await group.next() { made[done] = piece }
                group.addTask { (number, try await make(file, type, account, part)) }
            }
            for try await (done, piece) in group { made[done] = piece }
        }
        var pieces: [Exports.Piece] = []
        for number in parts.indices {
            guard let one = made[number] else { break }
            pieces += one.pieces
            // What was made of later days is made again with the next page.
            if one.hasStopped { return (pieces, one.last) }
        }
        return (pieces, parts.last?.through)
    }

    /// What could not be sealed lies before, between and after the days of blocks: the parts leave no day out.
    private static func parts(of days: [(CalendarDate, Int)], after: CalendarDate?) -> [Days] {
        var parts: [Days] = []
        var (last, count, sealed) = (after, 0, 0)
        for (day, bytes) in days {
            (count, sealed) = (count + 1, sealed + bytes)
            guard count == daysMax || sealed >= sealedMax else { continue }
            parts.append(Days(after: last, through: day))
            guard parts.count < partsMax else { return parts }
            (last, count, sealed) = (day, 0, 0)
        }
        return parts + [Days(after: last, through: nil)]
    }

    private func make(_ file: File, _ type: DataType, _ account: UUID, _ part: Days) async throws -> Made {
        let from = part.after.map { $0.adding(days: 1).startUTC } ?? Self.allTime.lowerBound
        let to = part.through.map { $0.adding(days: 1).startUTC } ?? Self.allTime.upperBound
        let start = Made(text: part.after == nil ? file.begin : [])
        return try await samples.reduce(of: account, type, from: from, to: to, into: start) { made, day, block in
            // Of sleep, blocks of further days are looked into.
            if let after = part.after, day <= after { return }
            if let through = part.through, day > through { return }
            made.hasStopped = made.hasStopped || made.text.count >= Self.textMax
            guard !made.hasStopped else { return }
            if let block { made.text += file.day(block) }
            made.last = day
        } then: { made in
            var made = made
            if part.through == nil, !made.hasStopped { made.text += file.end }
            if !made.text.isEmpty {
                var files = ExportFiles()
                try files.add(file.path, made.text)
                made.pieces = files.pieces
                made.text = []
            }
            return made
        }
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
