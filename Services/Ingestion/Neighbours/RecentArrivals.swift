import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import Security
import Service

/// What arrived lately of one or many people of a shard, with one round trip: the samples that count, in the order of arrival,
/// after cursors that are not within a pass. What is doubtful (it may repeat something, or another source may go before) costs
/// more, for each person.
struct RecentArrivals: Sendable {
    typealias Item = Ingestion.ReadMany.Item

    /// Arrivals of one person that are read in one step; fewer when they are large.
    static let pageMax = 200
    /// People of whom something doubtful is looked up at the same time.
    private static let togetherMax = 8

    let database: Database
    let keys: SubjectKeys
    let threads: BlockingPool
    let first: FirstArrivals
    let counted: CountedPieces

    enum Outcome: Sendable {
        case read(Ingestion.Read.Result)
        /// Nobody is known by this account, or the key was destroyed.
        case nothing
        /// This one alone.
        case failed(any Error)
    }

    /// The arrivals of one person, opened.
    private struct Page: Sendable {
        var pieces: [FirstArrivals.Piece] = []
        /// Arrivals that may repeat something.
        var doubtful: [StoredArrival] = []
        /// Samples of both.
        var count = 0
        var next: Ingestion.ReadCursor
        var hasMore: Bool
    }

    private enum Opened: Sendable {
        case page(Page, PersonContext)
        case outcome(Outcome)
    }

    /// In the order of `items`. Where blocks have to be read, the answer is the beginning of a pass. Of those that come behind
    /// `samplesMax` samples nothing is read.
    func read(_ items: [Item], samplesMax: Int) async throws -> [Outcome] {
        let wanted = items.map {
            ReadStore.Wanted(account: $0.accountID, after: $0.after.after, bytesMax: $0.bytesMax)
        }
        let answers = try await database.runBatch([
            ReadStore.arrivals(
                wanted, rowsMax: Self.pageMax,
                bytesMax: min(ArrivalStore.pageBytesMax, 64 * min(samplesMax, SampleSeries.samplesMax))),
            StoredPerson.select(of: Array(Set(items.map(\.accountID)))),
        ])
        let pages = try ReadStore.Page.pages(answers[0], count: items.count, rowsMax: Self.pageMax)
        let readable = zip(items, pages).compactMap { item, page in
            if case .arrivals(let rows, _) = page, !rows.isEmpty { item.accountID } else { nil as UUID? }
        }
        let held = try await held(Set(readable), alone: items.count == 1)
        let people = try people(answers[1])
        let opened = try await threads.computing {
            var left = samplesMax
            return zip(items, pages).map { item, page in
                Self.opened(item, page, held[item.accountID], people[item.accountID], &left)
            }
        }
        return try await outcomes(items, opened)
    }

    /// Of several people nobody's key holds up the others' samples.
    private func held(_ accounts: Set<UUID>, alone: Bool) async throws -> [UUID: Result<SubjectKey, any Error>] {
        guard !accounts.isEmpty else { return [:] }
        guard alone else { return await keys.keysAtHand(of: accounts) }
        return try await keys.unwrappedKeys(of: accounts).mapValues { $0.mapError { $0 as any Error } }
    }

    private func people(_ result: ResultSet) throws(PostgresError) -> [UUID: StoredPerson] {
        var people: [UUID: StoredPerson] = [:]
        for row in result.rows { people[try row["account_id"]] = try StoredPerson(row: row) }
        return people
    }

    private static func opened(
        _ item: Item, _ page: ReadStore.Page?, _ key: Result<SubjectKey, any Error>?, _ person: StoredPerson?,
        _ left: inout Int
    ) -> Opened {
        switch page {
        case nil: return .outcome(.nothing)
        case .blocks(let through):
            return .outcome(
                .read(.init(series: [], next: .pass(after: item.after.after, through: through), hasMore: true)))
        case .arrivals(let rows, let hasMore):
            guard !rows.isEmpty, left > 0 else {
                return .outcome(.read(.init(series: [], next: item.after, hasMore: hasMore || !rows.isEmpty)))
            }
            do {
                guard let key = try key?.get() else { return .outcome(.nothing) }
                let page = try opened(
                    rows, key, item, limit: min(item.limit, left), Page(next: item.after, hasMore: hasMore))
                left -= page.count
                let context = try person.map { try PersonContext($0, of: item.accountID, key: key) }
                return .page(page, context ?? PersonContext(zone: .utc))
            } catch is KeyMissing {
                return .outcome(.nothing)
            } catch { return .outcome(.failed(error)) }
        }
    }

    /// The samples of as many arrivals as fit.
    private static func opened(
        _ rows: [StoredArrival], _ key: SubjectKey, _ item: Item, limit: Int, _ start: Page
    ) throws -> Page {
        var result = start
        let (from, to) = (item.from.millisecondsUp, item.to.millisecondsUp)
        let types = DataType.mask(item.types)
        for (number, row) in rows.enumerated() {
            let content = try row.content(of: item.accountID, key)
            var batch = content.batch
            batch.keep(types)
            batch = batch.between(from, to)
            guard result.count == 0 || result.count + batch.count <= limit else {
                result.hasMore = true
                break
            }
            if content.mayRepeat, !batch.isEmpty {
                result.doubtful.append(row)
            } else {
                result.pieces.append(
                    .init(arrival: row.arrival, piece: BlockPass.Piece(source: row.source, batch: batch)))
            }
            result.count += batch.count
            result.next.after = row.arrival
            if result.count >= limit {
                result.hasMore = result.hasMore || number + 1 < rows.count
                break
            }
        }
        return result
    }

    /// What of them counts.
    private func outcomes(_ items: [Item], _ opened: [Opened]) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var outcomes = opened.map { opened in
                if case .outcome(let outcome) = opened { outcome } else { Outcome.nothing }
            }
            var running = 0
            for case (let index, (let item, .page(let page, let person))) in zip(items, opened).enumerated() {
                if running == Self.togetherMax, let (index, outcome) = try await group.next() {
                    outcomes[index] = outcome
                    running -= 1
                }
                group.addTask { (index, try await outcome(item, page, person)) }
                running += 1
            }
            for try await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func outcome(_ item: Item, _ page: Page, _ person: PersonContext) async throws -> Outcome {
        do {
            let firsts = try await first.pieces(
                of: page.doubtful, item.accountID, types: DataType.mask(item.types), from: item.from.millisecondsUp,
                to: item.to.millisecondsUp)
            let pieces = (page.pieces + firsts).filter { !$0.piece.batch.isEmpty }.sorted { $0.arrival < $1.arrival }
            let batches = try await counted.batches(pieces.map(\.piece), of: item.accountID, person)
            return .read(.init(series: batches.flatMap { $0.series() }, next: page.next, hasMore: page.hasMore))
        } catch {
            try Task.checkCancellation()
            return .failed(error)
        }
    }
}
