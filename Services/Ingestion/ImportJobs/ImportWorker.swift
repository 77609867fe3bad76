import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// Reads the files that people import, one after the other, and stores their samples (ING-04). A file is held by a lease: when the process
/// ends in the middle, another one begins the file anew and passes over the parts that were stored.
struct ImportWorker: Sendable {
    static let leaseSeconds: Int32 = 20
    /// Workers of a shard in each process: files of several people are read at once, taking turns (`ImportReading`), so that one
    /// that takes long keeps few waiting. Each may hold some ten MB.
    static let together = 3
    /// After each step, and its rest, it is told how far it is when this has passed: much less than the lease.
    private static let tellInterval = Duration.seconds(3)
    /// How often is looked for files that another process was to read.
    private static let pollInterval = Duration.seconds(5)
    /// A file at which workers have ended so often without getting further is given up.
    static let triesMax: Int32 = 5
    /// After so many parts, and at the end, the person is sealed, so that readers need not open them all.
    private static let partsUnsealed = 200

    let database: Database
    let keys: SubjectKeys
    let writer: ArrivalWriter
    let contents: BlindIndex
    let earlier: EarlierExports
    let pool: BlockingPool
    let throttle: Throttle
    let sealing: SealJob
    let completed: EventCounter
    let log: Log

    /// Until it is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            let seen = completed.value
            if try await readNext() { continue }
            _ = await completed.wait(after: seen, deadline: .after(Self.pollInterval))
        }
    }

    /// Reads one file, if one waits. Returns whether there was one.
    func readNext() async throws -> Bool {
        let lease = UUID.random()
        let claimed = try await database.transaction { transaction in
            try await transaction.runBatch([
                ImportJobStore.awaitClaims, ImportJobStore.claim(lease: lease, leaseSeconds: Self.leaseSeconds),
            ])[1].onlyRow().map { row throws(PostgresError) in try ImportJob(row: row) }
        }
        guard let job = claimed else { return false }
        do {
            try await read(job, lease)
        } catch is Lost {
            // It was deleted, or is another worker's.
        } catch  where Self.isNobodysFault(error) {
            try await database.execute(ImportJobStore.release(job.id, lease: lease))
            throw error
        } catch {
            // The attempt counts, and the lease stays until it ends, so that other files come first.
            try await database.execute(ImportJobStore.postpone(job.id, lease: lease))
            log.error(
                "an imported file could not be read",
                ["import": .string(job.id.description), "error": Log.text(of: error)])
        }
        return true
    }

    /// The job is not this worker's any more.
    private struct Lost: Error {}

    /// Whether the database, the machine or the end of the process is the reason, and not the file or what is kept of it.
    private static func isNobodysFault(_ error: any Error) -> Bool {
        switch error {
        case let error as TransactionError: isNobodysFault(error.underlying)
        case let error as PostgresError: !error.isOfOneRow
        case is IOError, is CancellationError: true
        default: false
        }
    }

    private func read(_ job: ImportJob, _ lease: UUID) async throws {
        guard let key = try await keys.key(of: job.account) else {
            try await database.execute(ImportJobStore.delete(job.id, of: job.account))
            return
        }
        var run = Run(
            job: job, lease: lease, key: key,
            progress: ImportProgress.open(job.progress, key, at: job.progressLocation))
        guard job.tries <= Self.triesMax else {
            run.progress.answer.fail("The file could not be read: it has ended \(job.tries - 1) attempts.")
            log.error("an imported file was given up", ["import": .string(job.id.description)])
            return try await finish(run)
        }
        // Parts that other readers have cut have other numbers; what is stored of them is known by its content.
        if run.progress.readers != ImportReading.version { run.progress = ImportProgress() }
        run.progress.readBytes = 0
        let reading = ImportReading(clock: SampleClock(now: job.createdAt), pool: pool)
        for number in 0..<job.pieces {
            let bytes = try await piece(number, run)
            run.progress.readBytes += Int64(bytes.count)
            reading.add(bytes)
            guard try await readOn(reading, &run) else { break }
        }
        reading.end()
        _ = try await readOn(reading, &run)
        try await finish(run)
    }

    /// A file that is being read.
    private struct Run {
        let job: ImportJob
        let lease: UUID
        let key: SubjectKey
        var progress: ImportProgress
        /// Parts of this attempt.
        var parts = 0
        /// By the names of the file, those of which there was something before.
        var sources: [String: EarlierExports.Source?] = [:]
        var told = Deadline.now()
    }

    private func piece(_ number: Int32, _ run: Run) async throws -> [UInt8] {
        guard
            let sealed = try await database.queryOne(
                ImportJobStore.piece(number, of: run.job.id), as: [UInt8].self)
        else { throw Lost() }
        return try run.key.open(sealed, at: ImportJob.location(of: number, in: run.job.id))
    }

    /// Reads what was added, a step at a time, and stores the parts of each. Returns whether the file can be read further.
    private func readOn(_ reading: ImportReading, _ run: inout Run) async throws -> Bool {
        while true {
            // What is stored goes through the commits of uploads itself, and is nothing to give way to.
            let step = try await throttle.run { try await reading.read() }
            for part in step.parts { try await store(part, &run) }
            run.progress.answer.set(step.report, doubledInParts: step.doubledInParts)
            try await tellIfDue(&run)
            guard step.hasMore else { return !step.isOver }
        }
    }

    /// Stores a part, unless an earlier attempt has. Before that is written down that it begins, so that one that turns out to be
    /// stored already is known for this file's own.
    private func store(_ part: ImportParts.Part, _ run: inout Run) async throws {
        let number = run.parts
        run.parts += 1
        guard number >= run.progress.partsDone ?? 0 else { return }
        let mayBeOwn = number < run.progress.partsBegun
        if !mayBeOwn {
            run.progress.partsBegun = number + 1
            try await tell(&run, isFurther: true)
        }
        let account = run.job.account
        let name = part.source ?? ""
        let kept = try await withoutDeleted(part.batch, run)
        let fresh = try await fresh(kept, from: name, &run)
        let content = contents.index(account.bytes + Array(name.utf8) + [0] + SampleCodec.encode(part.batch))
        let arrival = NewArrival(
            account: account, source: .imported(name: name), content: content, receivedAt: run.job.createdAt,
            sentAt: run.job.createdAt, batch: fresh.batch, key: run.key)
        switch try await writer.store(arrival) {
        case .stored(let samples, let dropped):
            run.progress.answer.deleted += part.batch.count - kept.count
            run.progress.answer.beyondQuota += fresh.beyondQuota
            run.progress.answer.repeated += kept.count - fresh.batch.count - fresh.beyondQuota
            run.progress.answer.add(paused: dropped.paused, samples: fresh.batch.count - samples)
            if number % Self.partsUnsealed == Self.partsUnsealed - 1 { try await seal(account) }
        case .repeated(let earlier):
            // The others were deleted, dropped or beyond the quota then, or in blocks. Once what was stored is in blocks, too, nothing
            // else is fresh.
            let others = part.batch.count - earlier.samples
            let deleted = min(part.batch.count - kept.count, others)
            let dropped = earlier.dropped.paused.isEmpty ? 0 : min(fresh.batch.count, others - deleted)
            let beyond = min(fresh.beyondQuota, others - deleted - dropped)
            run.progress.answer.deleted += deleted
            run.progress.answer.beyondQuota += beyond
            run.progress.answer.repeated += (mayBeOwn ? 0 : earlier.samples) + others - deleted - dropped - beyond
            run.progress.answer.add(paused: earlier.dropped.paused, samples: dropped)
        case .erased:
            try await database.execute(ImportJobStore.delete(run.job.id, of: account))
            throw Lost()
        case .conflict, .deviceRemoved, .storedLongAgo: preconditionFailure("an import as a device's upload")
        }
        run.progress.partsDone = number + 1
    }

    /// The samples of a part without those of spans that the person has deleted by now.
    private func withoutDeleted(_ batch: SampleBatch, _ run: Run) async throws -> SampleBatch {
        let account = run.job.account
        let sealed = try await database.queryOne(DeletedSpans.select(of: account), as: [UInt8].self)
        let spans = try DeletedSpans(opening: sealed, with: run.key, of: account)
        guard batch.types & spans.types != 0 else { return batch }
        return try await pool.computing { batch.without(spans) }
    }

    /// The samples of a part without those that earlier files of the same source have brought. What this file brings itself is
    /// not compared: a source that was not there at its first part has no others.
    private func fresh(
        _ batch: SampleBatch, from name: String, _ run: inout Run
    ) async throws -> EarlierExports.Fresh {
        let account = run.job.account
        if run.sources[name] == nil {
            run.sources.updateValue(try await earlier.source(named: name, of: account), forKey: name)
        }
        guard let source = run.sources[name] ?? nil else { return .init(batch: batch) }
        let work = SealWork(account: account, key: run.key, details: source.details)
        let days = try await pool.computing { try work.split(batch, from: source.number, arrival: .max) }
        var fresh = EarlierExports.Fresh()
        for start in stride(from: 0, to: days.count, by: EarlierExports.daysMax) {
            let some = Array(days[start..<min(start + EarlierExports.daysMax, days.count)])
            let more = try await throttle.run { try await earlier.fresh(some, from: source, work) }
            fresh.batch.append(more.batch)
            fresh.beyondQuota += more.beyondQuota
            try await tellIfDue(&run)
        }
        guard fresh.batch.count < batch.count else { return .init(batch: batch) }
        // Days of sleep are those of its end: they may overlap.
        fresh.batch.normalize()
        fresh.batch = fresh.batch.withZones(of: batch)
        return fresh
    }

    private func tellIfDue(_ run: inout Run) async throws {
        if Deadline.now().since(run.told) >= Self.tellInterval { try await tell(&run, isFurther: false) }
    }

    private func tell(_ run: inout Run, isFurther: Bool) async throws {
        let sealed = try run.progress.sealed(run.key, at: run.job.progressLocation)
        let rows = try await database.run(
            ImportJobStore.keep(
                sealed, of: run.job.id, lease: run.lease, leaseSeconds: Self.leaseSeconds, isFurther: isFurther))
        guard !rows.rows.isEmpty else { throw Lost() }
        run.told = .now()
    }

    private func seal(_ account: UUID) async throws {
        let number = try await database.queryOne(
            "select number from person where account_id = \(account)", as: Int32.self)
        if let number { sealing.request(number) }
    }

    private func finish(_ run: Run) async throws {
        try await seal(run.job.account)
        let sealed = try run.progress.sealed(run.key, at: run.job.progressLocation)
        try await database.execute(ImportJobStore.finish(sealed, of: run.job.id, lease: run.lease))
    }
}
