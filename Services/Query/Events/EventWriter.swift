import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import Synchronization

/// Makes events of what arrives for third parties that listen in this process: a stream, a waiting read, a webhook. Ingestion
/// tells of whom something has arrived (`Arrivals`); then that is read, of many people by one call, and added to the logs by
/// one statement. Of a third party that does not listen nothing is read; it finds all of it when it comes back, since a
/// reading stands where it stood.
final class EventWriter: Sendable {
    /// Requests that are read together.
    static let requestsMax = 100
    /// Groups that are read at the same time.
    static let groupsMax = 2
    /// Third parties whose readings are loaded again in one round of `follow`.
    private static let loadsMax = 200
    /// After a turn that has failed as a whole.
    private static let pause = Duration.seconds(1)
    /// Who has not listened for so long is forgotten.
    static let patience = Duration.seconds(60)

    let database: Database
    let log: EventLog
    let clock: any WallClock
    private let samples: SampleReader
    private let sums: SumReader
    /// `nil` where nothing costs anything.
    private let pricing: Pricing?
    private let unreadable: UnreadableRows
    private let faults: ReadingFaults
    private let agenda = Mutex(ReadingAgenda())
    private let work = EventCounter()
    /// The last numbers of third parties, as `follow` has seen them.
    private let known = Mutex<[UUID: Int64]>([:])

    init(
        database: Database, log: EventLog, ingestion: any RPCCaller, clock: any WallClock, messages: Log,
        unreadable: UnreadableRows, pricing: Pricing?
    ) {
        self.database = database
        self.log = log
        self.clock = clock
        self.unreadable = unreadable
        faults = ReadingFaults(messages)
        self.pricing = pricing
        samples = SampleReader(ingestion: ingestion)
        sums = SumReader(ingestion: ingestion, clock: clock)
    }

    // MARK: Listening

    /// While somebody listens, what arrives for a third party becomes events: of all of its requests, or of one. `body` gets the
    /// counter of news: it is raised when there are further events, or may be.
    func listening<R>(
        _ requester: UUID, to scope: ReadingAgenda.Scope, _ body: (EventCounter) async throws -> R
    ) async throws -> R {
        let (listener, isLoaded) = agenda.withLock { agenda in
            (agenda.listen(requester, to: scope), agenda.isLoaded(requester, scope))
        }
        if listener.isDue { work.raise() }
        defer { agenda.withLock { $0.leave(requester, scope, at: .now()) } }
        if !isLoaded { try await apart { try await self.load(requester, scope) } }
        return try await body(listener.news)
    }

    /// Forgets who has not listened for a while.
    func forget() {
        let before = Deadline.now().advanced(by: .zero - Self.patience)
        agenda.withLock { $0.forget(leftBefore: before) }
    }

    /// Whether it is known here how far what a third party asks for has become events.
    func isLoaded(_ requester: UUID, _ scope: ReadingAgenda.Scope) -> Bool {
        agenda.withLock { $0.isLoaded(requester, scope) }
    }

    /// How far what is listened to has become events, as it is known here.
    func progress(_ requester: UUID, _ scope: ReadingAgenda.Scope) -> ReadingAgenda.Progress {
        agenda.withLock { $0.progress(requester, scope) }
    }

    /// Whether data of a request becomes events here as it arrives.
    func isListening(_ requester: UUID, to request: UUID) -> Bool {
        agenda.withLock { $0.isListened(to: request, of: requester) }
    }

    /// Of all of a third party's requests those of which something is to be read (`ReadingAgenda.unread`).
    func unread(of requester: UUID) -> (requests: Set<UUID>, failing: Set<UUID>)? {
        agenda.withLock { $0.unread(of: requester) }
    }

    /// Readings that fail.
    var failingCount: Int { agenda.withLock(\.failing.count) }

    private func load(_ requester: UUID, _ scope: ReadingAgenda.Scope) async throws {
        let changes = agenda.withLock { $0.changes(of: requester) }
        let readings = try await ReadingStore.readings(
            .of(requester, scope), at: clock.now(), if: .isPaid(pricing), reporting: unreadable, in: database)
        let now = clock.now()
        agenda.withLock { $0.load(readings, of: requester, scope, after: changes, at: now) }
        work.raise()
    }

    // MARK: What happens

    /// Something has arrived of these people.
    func arrived(_ individuals: Set<UUID>) {
        let now = clock.now()
        if agenda.withLock({ $0.arrived(individuals, at: now) }) { work.raise() }
    }

    /// Something may have arrived of anybody.
    func mayHaveArrived() {
        let now = clock.now()
        agenda.withLock { $0.mayHaveArrived(at: now) }
        work.raise()
    }

    /// A third party's events or readings have changed, or what it pays for: call after the commit.
    func changed(_ requester: UUID) {
        let news = agenda.withLock { agenda in
            agenda.unload(requester)
            return agenda.news(of: requester)
        }
        for counter in news { counter.raise() }
    }

    /// Takes up what a third party that listens has had since: call before looking whether there is more.
    func refresh(_ requester: UUID, _ scope: ReadingAgenda.Scope) async throws {
        if !isLoaded(requester, scope) { try await load(requester, scope) }
    }

    /// Looks after what other replicas have added, and goes on with readings whose time has come or that have failed.
    func follow() async throws {
        let now = clock.now()
        if agenda.withLock({ $0.wake(at: now) }) { work.raise() }
        let requesters = Set(agenda.withLock(\.listening))
        let before = known.withLock { known in
            known = known.filter { requesters.contains($0.key) }
            return known
        }
        let news = Array(requesters.subtracting(before.keys))
        for (requester, number) in try await log.lastNumbers(of: news, in: database) {
            known.withLock { $0[requester] = number }
            // Who has just begun to listen may have missed what happened meanwhile.
            changed(requester)
        }
        for one in try await log.progress(since: before, in: database) {
            known.withLock { $0[one.requester] = one.lastNumber }
            guard !one.hasOutcomes else {
                changed(one.requester)
                continue
            }
            let counters = agenda.withLock { agenda in
                one.requests.flatMap { agenda.news(of: one.requester, about: $0) }
            }
            for counter in counters { counter.raise() }
        }
        for (requester, scope) in agenda.withLock({ $0.unloaded(Self.loadsMax) }) { try await load(requester, scope) }
    }

    // MARK: Work

    /// Reads what is due until the task is cancelled. Call on a loop.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.groupsMax { group.addTask { try await self.work() } }
            try await group.waitForAll()
        }
    }

    private func work() async throws {
        while !Task.isCancelled {
            let seen = work.value
            let readings = agenda.withLock { $0.take(Self.requestsMax) }
            guard !readings.isEmpty else {
                _ = await work.wait(after: seen)
                continue
            }
            do {
                try await turn(readings)
            } catch {
                agenda.withLock { agenda in
                    for reading in readings { agenda.failed(reading) }
                }
                guard !Task.isCancelled else { return }
                faults.tell(Log.text(of: error), count: failingCount)
                try await EventLoop.current?.sleep(for: Self.pause)
            }
        }
    }

    /// Reads once of each, and adds what was found: samples first, since sums take longer.
    private func turn(_ readings: [Reading]) async throws {
        let (raw, summed) = (readings.filter { $0.granularity == .raw }, readings.filter { $0.granularity != .raw })
        if !raw.isEmpty { try await finish(raw, try await samples.read(raw)) }
        if !summed.isEmpty { try await finish(summed, try await sums.read(summed)) }
    }

    private func finish(_ readings: [Reading], _ found: [ReadingTurn]) async throws {
        let (turns, moved) = try await add(found)
        let now = clock.now()
        let ended = turns.map { turn in
            var turn = turn
            if !turn.hasFailed && !turn.hasMore { turn.after.nextAt = turn.after.next(after: now) }
            return turn
        }
        let waits = ended.filter { !$0.hasFailed && !$0.hasMore && $0.after.frequency.interval != nil }
        if !waits.isEmpty {
            try await ReadingStore.wait(
                waits.compactMap { turn in turn.after.nextAt.map { (turn.before.request, $0) } }, in: database)
        }
        let (news, failing) = agenda.withLock { agenda in
            for turn in ended {
                if turn.hasFailed {
                    agenda.failed(turn.before)
                } else {
                    agenda.giveBack(turn.after, hasMore: turn.hasMore, at: now)
                }
            }
            // Also who waits for the rest, and there is none.
            return (agenda.news(about: ended.map(\.before)), agenda.failing.count)
        }
        for turn in ended {
            if let failure = turn.failure { faults.tell(failure, of: turn.before.request, count: failing) }
        }
        if failing == 0 { faults.end() }
        for counter in news { counter.raise() }
        if !moved.isEmpty { try await takeUp(moved) }
    }

    /// Those that somebody else has moved, or whose consent has ended: as they stand now. Until that is known they are not caught up.
    private func takeUp(_ moved: [Reading]) async throws {
        let standing: [Reading]
        do {
            standing = try await ReadingStore.readings(
                .only(moved.map(\.request)), at: clock.now(), if: .isPaid(pricing), reporting: unreadable, in: database)
        } catch {
            agenda.withLock { agenda in
                for reading in moved { agenda.failed(reading) }
            }
            try Task.checkCancellation()
            faults.tell(Log.text(of: error), count: failingCount)
            return
        }
        let now = clock.now()
        let news = agenda.withLock { agenda in
            for reading in moved { agenda.remove(reading.request) }
            agenda.takeUp(standing, at: now)
            return agenda.news(about: moved)
        }
        for counter in news { counter.raise() }
        work.raise()
    }

    /// Adds what was found to the logs. Readings that another replica has moved meanwhile, or whose consent has ended, are apart.
    private func add(_ found: [ReadingTurn]) async throws -> (turns: [ReadingTurn], moved: [Reading]) {
        let (added, keyless) = try await log.add(found, at: clock.now(), in: database)
        let places = Set(added.map(\.request))
        var (turns, moved): ([ReadingTurn], [Reading]) = ([], [])
        for var turn in found {
            if turn.data == nil {
                turns.append(turn)
            } else if places.contains(turn.before.request) {
                turn.after.saved = turn.after.place
                turns.append(turn)
            } else if keyless.contains(turn.before.individual) {
                turn.failure = "the person's key cannot be had"
                turns.append(turn)
            } else {
                moved.append(turn.before)
            }
        }
        return (turns, moved)
    }
}
