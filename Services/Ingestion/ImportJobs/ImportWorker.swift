import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Telemetry

/// Reads the files that people import, one at a time, and stores their samples (ING-04). A file is held by a lease: when the process
/// ends in the middle, another one begins the file anew and passes over the parts that were stored.
struct ImportWorker: Sendable {
    static let leaseSeconds: Int32 = 20
    /// Before and after a piece, and its rest, it is told how far it is when this has passed: much less than the lease.
    private static let tellInterval = Duration.seconds(3)
    /// How often is looked for files that another process was to read.
    private static let pollInterval = Duration.seconds(5)
    /// A file at which workers have ended so often without getting further is given up.
    static let triesMax: Int32 = 5

    let database: Database
    let keys: SubjectKeys
    let writer: ArrivalWriter
    let contents: BlindIndex
    let pool: BlockingPool
    let throttle: Throttle
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
        let row = try await database.queryOne(
            ImportJobStore.claim(lease: lease, leaseSeconds: Self.leaseSeconds), as: ImportJob.self)
        guard let job = row else { return false }
        do {
            try await read(job, lease)
        } catch is Lost {
            // It was deleted, or is another worker's.
        } catch {
            try await database.execute(ImportJobStore.release(job.id, lease: lease))
            throw error
        }
        return true
    }

    /// The job is not this worker's any more.
    private struct Lost: Error {}

    private func read(_ job: ImportJob, _ lease: UUID) async throws {
        guard let key = try await keys.key(of: job.account) else {
            try await database.execute(ImportJobStore.delete(job.id, of: job.account))
            return
        }
        var run = Run(
            job: job, lease: lease, key: key,
            progress: try ImportProgress.open(job.progress, key, at: job.progressLocation))
        guard job.tries <= Self.triesMax else {
            run.progress.answer.fail("The file could not be read: it has ended \(job.tries - 1) attempts.")
            log.error("an imported file was given up", ["import": .string(job.id.description)])
            return try await finish(run)
        }
        run.progress.readBytes = 0
        let reading = ImportReading(clock: SampleClock(now: job.createdAt), pool: pool)
        for number in 0..<job.pieces {
            let isOver = try await throttle.run {
                let bytes = try await piece(number, run)
                let outcome = try await reading.read(bytes)
                run.progress.readBytes += Int64(bytes.count)
                try await take(outcome, &run)
                return outcome.isOver
            }
            try await tellIfDue(&run)
            guard !isOver else { break }
        }
        let rest = try await reading.finish()
        try await take(rest, &run)
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
        var told = Deadline.now()
    }

    private func piece(_ number: Int32, _ run: Run) async throws -> [UInt8] {
        guard
            let sealed = try await database.queryOne(
                ImportJobStore.piece(number, of: run.job.id), as: [UInt8].self)
        else { throw Lost() }
        return try run.key.open(sealed, at: ImportJob.location(of: number, in: run.job.id))
    }

    private func take(_ outcome: ImportReading.Outcome, _ run: inout Run) async throws {
        for part in outcome.parts { try await store(part, &run) }
        run.progress.answer.set(outcome.report, doubledInParts: outcome.doubledInParts)
        try await tellIfDue(&run)
    }

    /// Stores a part, unless an earlier attempt has. Before that is written down that it begins, so that one that turns out to be
    /// stored already is known for this file's own.
    private func store(_ part: ImportParts.Part, _ run: inout Run) async throws {
        let number = run.parts
        run.parts += 1
        guard number >= run.progress.partsBegun - 1 else { return }
        let mayBeOwn = number < run.progress.partsBegun
        if !mayBeOwn {
            run.progress.partsBegun = number + 1
            try await tell(&run, isFurther: true)
        }
        let account = run.job.account
        let name = part.source ?? ""
        let content = contents.index(account.bytes + Array(name.utf8) + [0] + SampleCodec.encode(part.batch))
        let arrival = NewArrival(
            account: account, source: .imported(name: name), content: content, receivedAt: run.job.createdAt,
            sentAt: run.job.createdAt, batch: part.batch, key: run.key)
        switch try await writer.store(arrival) {
        case .stored(_, let dropped): run.progress.answer.add(paused: dropped.paused)
        case .repeated(let earlier):
            if !mayBeOwn { run.progress.answer.repeated += earlier.samples }
            run.progress.answer.add(paused: earlier.dropped.paused)
        case .erased:
            try await database.execute(ImportJobStore.delete(run.job.id, of: account))
            throw Lost()
        case .conflict, .deviceRemoved, .storedLongAgo: preconditionFailure("an import as a device's upload")
        }
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

    private func finish(_ run: Run) async throws {
        let sealed = try run.progress.sealed(run.key, at: run.job.progressLocation)
        try await database.execute(ImportJobStore.finish(sealed, of: run.job.id, lease: run.lease))
    }
}
