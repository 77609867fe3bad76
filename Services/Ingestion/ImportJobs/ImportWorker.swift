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
        let row = try await database.queryOne(
            ImportJobStore.claim(lease: lease, leaseSeconds: Self.leaseSeconds), as: ImportJob.self)
        guard let job = row else { return false }
        do {
            try await read(job, lease)
        } catch is Lost {
            // It was deleted, or is another worker's.
        } catch  where Self.isNobodysFault(error) {
            try await database.execute(ImportJobStore.release(job.id, lease: lease))
            throw error
        } catch {
            // The attempt counts, and the lease stays until it ends, so that other files come first.
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
        case let error as PostgresError: !error.isOfValues
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
            let outcome = try await throttle.run {
                let step = try await reading.read()
                for part in step.parts { try await store(part, &run) }
                run.progress.answer.set(step.report, doubledInParts: step.doubledInParts)
                try await tellIfDue(&run)
                return step
            }
            try await tellIfDue(&run)
            guard outcome.hasMore else { return !outcome.isOver }
        }
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
        case .stored(_, let dropped):
            run.progress.answer.add(paused: dropped.paused)
            if number % Self.partsUnsealed == Self.partsUnsealed - 1 { try await seal(account) }
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

extension PostgresError {
    /// The values that were stored or read are at fault, not the server.
    fileprivate var isOfValues: Bool {
        switch self {
        case .decoding, .usage: true
        case .server(let failure): ["22", "23"].contains(failure.sqlState.errorClass)
        default: false
        }
    }
}
