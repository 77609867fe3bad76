import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// Deletes what people ask for, and what has come of a pause: one deletion after the other, each in one transaction that nobody else who changes the
/// person's blocks enters, so that nobody sees a half of it and nothing is sealed meanwhile. Interrupted anywhere, nothing
/// has happened, and it is done again. What uploads and imports are known by stays: what is sent again is answered as it
/// was, and not stored again.
struct DeletionWorker: Sendable {
    /// How often is looked for those that another process was to do.
    private static let pollInterval = Duration.seconds(5)
    private static let blocksMax = 200
    private static let arrivalsMax = 2000
    /// How often is looked again at what is left of a person who goes on sending.
    private static let looksMax = 5

    /// Where a test may stop or fail it.
    enum Step: CaseIterable, Sendable {
        case blocks, arrivals, beforeCommit, committed, looked
    }

    let database: Database
    let keys: SubjectKeys
    let threads: BlockingPool
    /// Raised when somebody asks for a deletion.
    let asked: EventCounter
    let log: Log
    var step: @Sendable (Step) async throws -> Void = { _ in }

    /// Until it is cancelled.
    func run() async throws {
        while true {
            let seen = asked.value
            if try await deleteNext() { continue }
            _ = await asked.wait(after: seen, deadline: .after(Self.pollInterval))
            try Task.checkCancellation()
        }
    }

    /// Does one, if one is due. Returns whether there was one that no other worker has. One that fails is tried again later,
    /// behind the others.
    func deleteNext() async throws -> Bool {
        guard let row = try await database.queryOne(DeletionStore.next, as: SpanDeletion.Row.self) else { return false }
        do { return try await delete(row.id, of: row.account) } catch {
            if Task.isCancelled { throw error }
            log.error(
                "a deletion could not be done",
                ["deletion": .string(row.id.description), "error": Log.text(of: error)])
            try await database.execute(DeletionStore.postpone(row.id, of: row.account))
            return true
        }
    }

    private func delete(_ id: UUID, of account: UUID) async throws -> Bool {
        guard let key = try await keys.existingKeys(of: [account])[account] else {
            // The feed is about to tell of the erasure, which deletes all.
            try await database.execute(DeletionStore.forget(id, of: account))
            return true
        }
        let isDeleted = try await database.transaction { transaction in
            guard let (deletion, person) = try await claim(id, account, key, transaction) else { return false }
            try await delete(deletion, of: person, key, in: transaction)
            return true
        }
        guard isDeleted else { return false }
        try await step(.committed)
        var left = Left()
        for look in 1...Self.looksMax {
            let known = left
            let next = try await database.transaction { transaction -> Left? in
                guard let (deletion, person) = try await claim(id, account, key, transaction) else { return nil }
                return try await forgetTypes(
                    deletion, of: person, key, left: known, isLast: look == Self.looksMax, in: transaction)
            }
            guard let next else { break }
            left = next
        }
        return true
    }

    /// The deletion and the person's number; `nil` when another worker has it, or the person was erased.
    private func claim(
        _ id: UUID, _ account: UUID, _ key: SubjectKey, _ transaction: Transaction
    ) async throws -> (SpanDeletion, Int32)? {
        let answers = try await transaction.runBatch([
            BlockStore.lock([account]), DeletionStore.person(account), DeletionStore.claim(id, of: account),
        ])
        guard let person = try answers[1].decodeOne(as: Int32.self), let row = try answers[2].onlyRow() else {
            return nil
        }
        return (try SpanDeletion.Row(row: row).opened(key), person)
    }

    // MARK: Samples

    private func delete(
        _ deletion: SpanDeletion, of number: Int32, _ key: SubjectKey, in transaction: Transaction
    ) async throws {
        let cut = deletion.cut
        let days = DataType.types(in: cut.types).compactMap { type in cut.wholeDays(of: type).map { (type, $0) } }
        let answers = try await transaction.runBatch([
            // What the planner does not know of new tables must not make it read everybody's.
            "set local enable_seqscan = off",
            BlockStore.person(number),
            DeletionStore.deleteDays(days, of: number, through: cut.through),
        ])
        guard let row = try answers[1].onlyRow() else { return }
        let person = try BlockStore.Person(row: row)
        let whole = try answers[2].decodeOne(as: Int.self, Int64.self, Int64.self) ?? (0, Int64(0), Int64(0))
        let work = DeletionWork(
            cut: cut, work: SealWork(account: deletion.account, key: key, details: person.details))
        try await step(.blocks)
        var gone = try await deleteInBlocks(work, of: number, in: transaction)
        gone.bytes += BlockBytes(samples: whole.1, summaries: whole.2)
        try await step(.arrivals)
        try await deleteInArrivals(work, of: number, in: transaction)
        var content = deletion.content
        content.days += whole.0 + gone.days
        try await transaction.batch([
            DeletionStore.shrink(number, by: gone.bytes),
            try keep(content, of: deletion, key, isDone: false),
        ])
        try await step(.beforeCommit)
    }

    private func deleteInBlocks(
        _ work: DeletionWork, of person: Int32, in transaction: Transaction
    ) async throws -> (days: Int, bytes: BlockBytes) {
        var (days, bytes, last) = (0, BlockBytes(), BlockKey?.none)
        while true {
            let page = try ArrivalPage<BlockStore.Block>(
                await transaction.run(
                    DeletionStore.blocks(
                        work.cut.types, work.cut.touchedDays, of: person, after: last, rowsMax: Self.blocksMax)),
                rowsMax: Self.blocksMax)
            guard let end = page.rows.last else { return (days, bytes) }
            last = end.key
            let rows = page.rows
            let outcome = try await threads.computing { try work.blocks(rows) }
            if !outcome.gone.isEmpty {
                try await transaction.execute(DeletionStore.delete(outcome.gone, of: person))
            }
            if !outcome.changed.isEmpty {
                try await transaction.execute(BlockStore.replace(outcome.changed, of: person))
            }
            days += outcome.gone.count + outcome.changed.count
            bytes += outcome.bytes
            guard page.hasMore else { return (days, bytes) }
            try Task.checkCancellation()
        }
    }

    /// Also those that are in blocks already, but still there for readers.
    private func deleteInArrivals(
        _ work: DeletionWork, of person: Int32, in transaction: Transaction
    ) async throws {
        var last: Int64 = 0
        while true {
            let page = try ArrivalPage<StoredArrival>(
                await transaction.run(
                    DeletionStore.arrivals(
                        after: last, through: work.cut.through, of: person, rowsMax: Self.arrivalsMax)),
                rowsMax: Self.arrivalsMax)
            guard let end = page.rows.last else { return }
            last = end.arrival
            let rows = page.rows
            let changed = try await threads.computing { try work.arrivals(rows) }
            if !changed.isEmpty { try await transaction.execute(DeletionStore.replace(changed, of: person)) }
            guard page.hasMore else { return }
            try Task.checkCancellation()
        }
    }

    // MARK: Types

    /// What is in arrivals that are in no block.
    private struct Left {
        /// A mask of data types …
        var types: Int64 = 0
        /// … in arrivals up to this one.
        var through: Int64 = 0
    }

    /// What is collected follows from what is left. That is computed while the person's uploads go on, since they wait in one
    /// group with others'; then they are kept from being stored for as long as it takes to see that nothing has come
    /// meanwhile. Returns what is known by now where something has, and is to be looked at too; with `isLast` all types
    /// stay collected then.
    private func forgetTypes(
        _ deletion: SpanDeletion, of person: Int32, _ key: SubjectKey, left known: Left, isLast: Bool,
        in transaction: Transaction
    ) async throws -> Left? {
        let work = DeletionWork(cut: deletion.cut, work: SealWork(account: deletion.account, key: key))
        var left = known
        if let row = try await transaction.runBatch([BlockStore.person(person)]).first?.onlyRow() {
            left.through = max(left.through, try BlockStore.Person(row: row).sealedThrough)
        }
        while true {
            let page = try ArrivalPage<StoredArrival>(
                await transaction.run(
                    DeletionStore.arrivals(after: left.through, through: .max, of: person, rowsMax: Self.arrivalsMax)),
                rowsMax: Self.arrivalsMax)
            guard let end = page.rows.last else { break }
            let rows = page.rows
            left.types |= try await threads.computing { try work.types(in: rows) }
            left.through = end.arrival
            guard page.hasMore else { break }
            try Task.checkCancellation()
        }
        try await step(.looked)
        let answers = try await transaction.runBatch([
            ArrivalStore.lock([deletion.account]),
            "select exists (select from arrival where person = \(person) and arrival > \(left.through))",
        ])
        let hasCome = try answers[1].decodeOne(as: Bool.self) ?? true
        guard !hasCome || isLast else { return left }
        try await transaction.batch([
            DeletionStore.forgetTypes(deletion.content.types, except: hasCome ? .max : left.types, of: person),
            deletion.content.isPause == true
                ? DeletionStore.forget(deletion.id, of: deletion.account)
                : try keep(deletion.content, of: deletion, key, isDone: true),
        ])
        return nil
    }

    private func keep(
        _ content: SpanDeletion.Content, of deletion: SpanDeletion, _ key: SubjectKey, isDone: Bool
    ) throws(JSONError) -> SQL {
        DeletionStore.keep(
            try content.sealed(with: key, at: SpanDeletion.location(deletion.id, of: deletion.account)), of: deletion,
            isDone: isDone)
    }
}
