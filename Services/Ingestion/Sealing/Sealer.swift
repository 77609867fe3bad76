import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// Puts what arrived into blocks: one person at a time, in one transaction that nobody else who changes the person's blocks
/// enters, so that blocks and `sealed_through` always agree. Interrupted anywhere, nothing has happened, and it is done again.
final class Sealer: Sendable {
    /// Arrivals sealed in one transaction, and their bytes.
    static let arrivalsMax = 5000
    static let arrivalBytesMax = 16 << 20
    /// Their samples: of arrivals with more the rest is sealed in the next one. A deletion or erasure waits for so long.
    static let samplesMax = 300_000
    /// What a person's blocks may take (ING-10).
    static let quotaBytesDefault: Int64 = 10 << 20
    /// Blocks that lose their samples in one transaction; more do in the next one.
    static let droppedMax = 1000
    /// Blocks that are looked at together for samples that have to go.
    static let oldestMax = 50
    /// People sealed at the same time.
    static let togetherMax = 4

    /// Where a test may stop or fail it.
    enum Step: CaseIterable, Sendable {
        case read, computed, beforeCommit, committed
    }

    /// The result for one person.
    struct Sealed: Sendable, Equatable {
        var arrivals = 0
        var blocks = 0
        /// More is there than was sealed at once: more arrivals, or …
        var hasMore = false
        /// … more blocks of these.
        var part: SealPart?
    }

    let database: Database
    let keys: SubjectKeys
    let threads: BlockingPool
    private let log: Log
    private let droppedSamples: Counter
    private let quotaBytes: Int64
    private let summaryBytesMax: Int64
    private let blocksMax: Int
    private let step: @Sendable (Step) async throws -> Void

    /// `quotaBytes`: what a person's blocks may take (ING-10).
    init(
        database: Database, keys: SubjectKeys, threads: BlockingPool, observer: Observer,
        quotaBytes: Int64 = quotaBytesDefault, summaryBytesMax: Int64 = SummaryQuota.bytesMax,
        blocksMax: Int = SealPart.blocksMax,
        step: @escaping @Sendable (Step) async throws -> Void = { _ in }
    ) {
        self.database = database
        self.keys = keys
        self.threads = threads
        log = observer.log
        droppedSamples = observer.metrics.counter(
            "trackme_ingestion_samples_dropped_total", "Samples that found no room in their day's block.")
        self.quotaBytes = quotaBytes
        self.summaryBytesMax = max(summaryBytesMax, quotaBytes)
        self.blocksMax = blocksMax
        self.step = step
    }

    /// Seals all arrivals of a person that were stored before `end`.
    @discardableResult
    func seal(_ person: Int32, before end: Timestamp = .endOfTime) async throws -> Sealed {
        var all = Sealed()
        var part: SealPart?
        while true {
            let sealed = try await sealOnce(person, before: end, part)
            all.arrivals += sealed.arrivals
            all.blocks += sealed.blocks
            guard sealed.hasMore else { return all }
            part = sealed.part
            try Task.checkCancellation()
        }
    }

    /// `part`: how far it is with the first of the arrivals.
    private func sealOnce(_ number: Int32, before end: Timestamp, _ part: SealPart?) async throws -> Sealed {
        let sealed = try await database.transaction { transaction -> Sealed in
            let answers = try await transaction.runBatch([
                // What a crash takes is sealed again: arrivals go later, in a commit that is waited for (`ArrivalDays.drop`).
                // Uploads do not wait for the writing of blocks.
                .commitWithoutWaiting, BlockStore.lock(number), BlockStore.person(number),
                BlockStore.unsealed(
                    of: number, before: end, rowsMax: Self.arrivalsMax, bytesMax: Self.arrivalBytesMax),
            ])
            guard let row = try answers[2].onlyRow() else { return Sealed() }
            let person = try BlockStore.Person(row: row)
            let page = try ArrivalPage<StoredArrival>(answers[3], rowsMax: Self.arrivalsMax)
            guard !page.rows.isEmpty else { return Sealed() }
            let rows = part.map { part in page.rows.filter { $0.arrival <= part.through } } ?? page.rows
            // Another replica has sealed those.
            guard !rows.isEmpty else { return Sealed(hasMore: true) }
            try await self.step(.read)
            // Destroyed: the feed is about to tell of the erasure.
            guard let key = try await self.keys.existingKey(of: person.account) else { return Sealed() }
            let details = part == nil ? person.details : part?.details
            let work = SealWork(account: person.account, key: key, details: details)
            let blocksMax = self.blocksMax
            let (new, isCut, taken) = try await self.threads.computing {
                let split = try work.split(rows, samplesMax: Self.samplesMax)
                let next = split.samples.next(after: part?.last, countMax: blocksMax)
                return (next.blocks, next.hasMore, split.arrivals)
            }
            let places = new.map { BlockKey(type: $0.type, day: $0.day) }
            let stored =
                person.sealedThrough == 0 && person.bytes == BlockBytes()
                ? [] : try await transaction.query(BlockStore.blocks(places, of: number), as: BlockStore.Row.self)
            let outcome = try await self.threads.computing { try work.merged(new, into: stored) }
            try await self.step(.computed)
            if outcome.dropped > 0 { self.report(outcome.dropped, number) }
            var statements: [SQL] = []
            if !outcome.new.isEmpty { statements.append(BlockStore.insert(outcome.new, of: number)) }
            if !outcome.changed.isEmpty { statements.append(BlockStore.replace(outcome.changed, of: number)) }
            var bytes = person.bytes
            bytes += outcome.bytes
            let summaries = SummaryQuota.excess(bytes, over: self.summaryBytesMax)
            if summaries > 0 {
                try await transaction.batch(statements)
                statements = []
                let gone = try await SummaryQuota.dropOldest(summaries, of: number, in: transaction)
                bytes -= gone
                try transaction.beforeCommit(SummaryQuota.subtract(gone, of: number))
            }
            let excess = bytes.excess(over: self.quotaBytes)
            if excess > 0 {
                try await transaction.batch(statements)
                try await self.drop(excess, of: number, in: transaction)
                statements = []
            }
            // The person's row last, for which uploads may wait.
            let last = rows[taken - 1].arrival
            statements.append(
                BlockStore.advance(number, through: isCut ? person.sealedThrough : last, bytes: outcome.bytes))
            for statement in statements { try transaction.beforeCommit(statement) }
            try await self.step(.beforeCommit)
            return Sealed(
                arrivals: isCut ? 0 : taken, blocks: outcome.new.count + outcome.changed.count,
                hasMore: isCut || taken < page.rows.count || page.hasMore,
                part: isCut ? places.last.map { SealPart(last: $0, through: last, details: details) } : nil)
        }
        if sealed.arrivals + sealed.blocks > 0 { try await step(.committed) }
        return sealed
    }

    /// The samples of the oldest days go, about so many bytes; their summaries stay.
    private func drop(_ excess: Int64, of number: Int32, in transaction: Transaction) async throws {
        var (gone, bytes, last) = ([BlockKey](), Int64(0), BlockKey?.none)
        while bytes < excess, gone.count < Self.droppedMax {
            let oldest = try await transaction.query(
                BlockStore.oldest(of: number, after: last, countMax: Self.oldestMax)
            ) { row throws(PostgresError) in (key: try BlockStore.key(row), bytes: try row["bytes"] as Int32) }
            guard let end = oldest.last?.key else { break }
            last = end
            for block in oldest where bytes < excess {
                gone.append(block.key)
                bytes += Int64(block.bytes)
            }
        }
        try transaction.beforeCommit(BlockStore.dropSamples(gone, of: number))
        try transaction.beforeCommit(
            "update person set sample_bytes = sample_bytes - \(bytes) where number = \(number)")
    }

    private func report(_ samples: Int, _ person: Int32) {
        droppedSamples.increment(by: samples)
        log.warning(
            "samples found no room in their day's block",
            ["person": .integer(Int64(person)), "samples": .integer(Int64(samples))])
    }
}

extension Timestamp {
    /// After everything that is ever stored.
    static let endOfTime = Timestamp(microseconds: 253_370_764_800_000_000)
}
