import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Security
import Service

/// `ingestion.touched`: which sums of a person what arrived has changed (SUB-01).
struct TouchedMethod: Sendable {
    /// Pages of arrivals or blocks that one answer goes through, when nothing of them concerns the caller.
    private static let pagesMax = 20
    private static let rowsMax = 200

    let database: Database
    let samples: PersonSamples
    let contexts: PersonContexts

    /// `shard` gives the method of a person's shard. What is handed over is in the audit trail before it is: also when something was
    /// measured tells of the person.
    static func register(
        in router: inout RPCRouter, noting audit: AuditWriter,
        of shard: @escaping @Sendable (UUID) async throws -> TouchedMethod
    ) {
        router.register(Ingestion.Touched.self, allow: [ServiceName.query.rawValue]) { params, context in
            let entry = try AuditWriter.Reading(
                Ingestion.Touched.self, of: params.accountID, by: context.caller, params.reason)
            let method = try await shard(params.accountID)
            let result = try await SumQuestion.answer(params.accountID, in: method.database) {
                try await method.read(params)
            }
            if !result.series.isEmpty { try await audit.note(entry) }
            return result
        }
    }

    private func read(_ params: Ingestion.Touched.Params) async throws -> Ingestion.Touched.Result {
        guard (1...Ingestion.Touched.spansMax).contains(params.limit) else {
            throw RPCError(.invalidParams, "limit must be from 1 to \(Ingestion.Touched.spansMax).")
        }
        guard params.after.isValid else { throw RPCError(.invalidParams, "after is not a cursor.") }
        let person = try await contexts.context(of: params.accountID)
        let question = Question(params, person)
        var result = Ingestion.Touched.Result(series: [], next: params.after, hasMore: false)
        for _ in 0..<Self.pagesMax {
            let page = try await page(question, after: result.next)
            (result.next, result.hasMore) = (page.next, page.hasMore)
            result.series = try await touched(by: page, question, person)
            guard result.series.isEmpty, result.hasMore else { break }
            try Task.checkCancellation()
        }
        return result
    }

    private struct Question: Sendable {
        let account: UUID
        /// A mask.
        let types: Int64
        let granularity: Granularity
        let period: Range<Int64>
        /// The UTC days whose blocks reach into the period, or into the local days of its ends.
        let days: ClosedRange<CalendarDate>
        let limit: Int

        init(_ params: Ingestion.Touched.Params, _ person: PersonContext) {
            account = params.accountID
            types = DataType.mask(SumQuestion.types(params.types))
            granularity = Granularity(params.granularity)
            period = SumQuestion.period(params.from, params.to)
            let first = person.zone.day(of: params.from)
            let all = CountedDay.blockDays(of: first...max(first, person.zone.day(of: params.to)))
            days = all.clamped(to: SumQuestion.days)
            limit = params.limit
        }
    }

    /// What some arrivals have changed.
    private struct Page: Sendable {
        var changes: [BlockChange] = []
        /// Blocks of which that is not known: their samples had to go.
        var closed: [BlockKey] = []
        var next: Ingestion.ReadCursor
        var hasMore: Bool
    }

    private func page(_ question: Question, after cursor: Ingestion.ReadCursor) async throws -> Page {
        if let pass = cursor.pass { return try await blocks(question, cursor, pass) }
        let result = try await database.run(
            ReadStore.arrivals(
                [ReadStore.Wanted(account: question.account, after: cursor.after)], rowsMax: Self.rowsMax,
                bytesMax: ArrivalStore.pageBytesMax))
        switch try ReadStore.Page.pages(result, count: 1, rowsMax: Self.rowsMax)[0] {
        case nil: return Page(next: cursor, hasMore: false)
        case .blocks(let through):
            return Page(next: .pass(after: cursor.after, through: through), hasMore: true)
        case .arrivals(let rows, let hasMore):
            return try await arrivals(rows, hasMore, question, after: cursor.after)
        }
    }

    // MARK: What is in blocks

    private struct Block: PostgresRowDecodable, Sendable {
        let key: BlockKey
        let sealed: [UInt8]

        init(row: PostgresRow) throws(PostgresError) {
            key = try BlockStore.key(row)
            sealed = try row["sealed"]
        }
    }

    /// Those of a pass, whole, also where a reader of samples has read a part of one.
    private func blocks(
        _ question: Question, _ cursor: Ingestion.ReadCursor, _ pass: Ingestion.ReadCursor.Pass
    ) async throws -> Page {
        var begin = pass
        if begin.day < question.days.lowerBound {
            begin = .init(through: pass.through, day: question.days.lowerBound)
        }
        let page = try ArrivalPage<Block>(
            await database.run(
                ReadStore.blocks(
                    cursor, begin, of: question.account, types: question.types, through: question.days.upperBound,
                    rowsMax: BlockPass.blocksMax, bytesMax: ArrivalStore.pageBytesMax)), rowsMax: BlockPass.blocksMax)
        let end = Page(next: .init(after: pass.through), hasMore: true)
        // Without a key: erased.
        guard !page.rows.isEmpty,
            let key = try await samples.keys.existingKeys(of: [question.account])[question.account]
        else { return end }
        let work = SealWork(account: question.account, key: key)
        return try await samples.threads.computing {
            var (result, count) = (end, 0)
            for (number, row) in page.rows.enumerated() {
                let change = BlockChange(
                    try work.open(row.key, row.sealed), since: cursor.after, byMinutes: question.granularity == .minute)
                result.changes.append(change)
                count += change.count
                let isLast = number + 1 == page.rows.count
                guard !isLast || page.hasMore, isLast || count >= question.limit else { continue }
                result.next = .init(
                    after: cursor.after,
                    pass: .init(through: pass.through, day: row.key.day, type: row.key.type.rawValue + 1))
                break
            }
            return result
        }
    }

    // MARK: What is there as it came

    /// Arrivals that are gone through together.
    private struct Arrivals: Sendable {
        /// Those with samples that are asked for.
        var concerned: [StoredArrival] = []
        var keys = Set<BlockKey>()
        var last: Int64
        var hasMore: Bool
    }

    private func arrivals(
        _ rows: [StoredArrival], _ hasMore: Bool, _ question: Question, after: Int64
    ) async throws -> Page {
        guard !rows.isEmpty else { return Page(next: .init(after: after), hasMore: hasMore) }
        guard let key = try await samples.keys.existingKeys(of: [question.account])[question.account] else {
            throw RPCError(.notFound, "Nothing is stored for this account.")
        }
        let found = try await samples.threads.computing {
            try Self.opened(rows, key, question, Arrivals(last: after, hasMore: hasMore))
        }
        var page = Page(next: .init(after: found.last), hasMore: found.hasMore)
        guard !found.concerned.isEmpty else { return page }
        // As the blocks are once these arrivals are sealed, and all before them.
        let changes = try await samples.merged(found.concerned, of: question.account, types: question.types) { block in
            found.keys.contains(BlockKey(type: block.type, day: block.day))
                ? BlockChange(block, since: after, byMinutes: question.granularity == .minute) : nil
        }
        page.changes = changes.compactMap(\.self)
        // The others hold nothing but repeats, or their samples had to go.
        let others = found.keys.subtracting(page.changes.map { BlockKey(type: $0.type, day: $0.day) })
        if !others.isEmpty {
            page.closed = try await database.query(Self.closed(Array(others), of: question.account), as: Closed.self)
                .map(\.key)
        }
        return page
    }

    private struct Closed: PostgresRowDecodable, Sendable {
        let key: BlockKey

        init(row: PostgresRow) throws(PostgresError) { key = try BlockStore.key(row) }
    }

    /// Which of some blocks have no samples any more.
    private static func closed(_ keys: [BlockKey], of account: UUID) -> SQL {
        """
        select b.type, b.day
        from (select number from person where account_id = \(account) offset 0) p
        cross join unnest(\(keys.map { Int16($0.type.rawValue) }), \(keys.map(\.day))) as k (type, day)
        cross join lateral (
          select type, day from block
          where person = p.number and type = k.type and day = k.day and samples is null offset 0) b
        """
    }

    /// As many as have about as many samples as there may be spans.
    private static func opened(
        _ rows: [StoredArrival], _ key: SubjectKey, _ question: Question, _ start: Arrivals
    ) throws -> Arrivals {
        var (result, count) = (start, 0)
        for (number, row) in rows.enumerated() {
            var batch = try row.samples(of: question.account, key)
            batch.keep(question.types)
            guard count == 0 || count + batch.count <= question.limit else {
                result.hasMore = true
                break
            }
            var keys = Set<BlockKey>()
            for column in batch.values {
                for index in 0..<column.count {
                    let day = BlockKey.day(of: column.type, at: column.times[index], lasting: column.duration(index))
                    if question.days.contains(day) { keys.insert(BlockKey(type: column.type, day: day)) }
                }
            }
            if !keys.isEmpty { result.concerned.append(row) }
            result.keys.formUnion(keys)
            result.last = row.arrival
            count += batch.count
            if count >= question.limit {
                result.hasMore = result.hasMore || number + 1 < rows.count
                break
            }
        }
        return result
    }

    // MARK: What of it is told

    private func touched(
        by page: Page, _ question: Question, _ person: PersonContext
    ) async throws -> [Ingestion.Touched.Series] {
        guard !page.changes.isEmpty || !page.closed.isEmpty else { return [] }
        let empty = TouchedBuckets(question.granularity, zone: person.zone, within: question.period)
        let doubtful =
            page.closed
            + page.changes.filter { empty.needsPlaces($0, of: person) }.map {
                BlockKey(type: $0.type, day: $0.day)
            }
        var places: [DataType: TouchedBuckets.Places] = [:]
        for (type, keys) in Dictionary(grouping: doubtful, by: \.type) {
            let days = keys.map(\.day).sorted()
            guard let first = days.first, let last = days.last else { continue }
            // The local days of hours into which these blocks reach, and of those around them.
            let local = first.adding(days: -2)...last.adding(days: CountedDay.daysBefore + 2)
            let summaries = try await samples.summaries(
                of: question.account, type, days: CountedDay.blockDays(of: local), person)
            places[type] = try await samples.threads.computing {
                TouchedBuckets.Places(type, summaries, person.order(of: type))
            }
        }
        let known = places
        return try await samples.threads.computing {
            var buckets = empty
            for change in page.changes { buckets.add(change, known[change.type], of: person) }
            for key in page.closed {
                if let places = known[key.type] { buckets.add(all: key, places) }
            }
            return buckets.spans.map { type, spans in
                .init(
                    type: type,
                    spans: spans.map {
                        .init(
                            start: Timestamp(milliseconds: $0.lowerBound), end: Timestamp(milliseconds: $0.upperBound))
                    })
            }
        }
    }
}
