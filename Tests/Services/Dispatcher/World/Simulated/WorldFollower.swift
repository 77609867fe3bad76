import Contracts
import Feed
import Primitives
import Reactor
import SeededRandom

@testable import Dispatcher

/// One part of the live feed, followed by one process: what `ShardConsumer` does with `Saving` and `Foresight`. Who judges is shipped:
/// `LiveMonitors` in memory, `WatchedPerson` in a transaction, `StandbyWatch` without the database.
final class WorldFollower: @unchecked Sendable {
    /// Another replica has the part.
    struct LostPart: Error {}

    private struct Saving {
        let cursor: Int
        let task: Task<Void, any Error>
        var isDone = false
    }

    /// As `FeedConsumerSettings.saveInterval` …
    private static let saveInterval = Duration.seconds(3)
    /// … `Saving.pollInterval` …
    private static let pollInterval = Duration.milliseconds(250)
    /// … `ShardConsumer.lastSaveMax`, in seconds …
    private static let lastSaveMax = 0.5
    /// … and `Foresight`: how long what was read may be unapplied.
    private static let foresightAfter = HandOverDesk.commitMax

    private let part: Int
    private unowned let process: WorldProcess
    private var world: World { process.world }
    /// The fence of the part while this process has it, as far as it knows.
    private var fence: Int64?
    /// Of what the roster was told last that it is followed.
    private var toldFence: Int64?
    private var tasks: [Task<Void, Never>] = []
    private let news = EventCounter()

    // Of the saving.
    private var hasKept = false
    private var saveDue = Deadline.now()
    private var saving: Saving?
    private var isPending: Bool { hasKept || saving != nil }

    // Of the foresight.
    private var cursor = 0
    private var waitingSince: Deadline?
    private var isForeseeing = false
    private var foreseen = 0
    /// The end of the batch that is about to be applied, or of what was.
    private var pending = 0
    private var mark: (cursor: Int, at: Deadline)?

    init(_ part: Int, of process: WorldProcess) { (self.part, self.process) = (part, process) }

    private var isGoingOn: Bool { !process.isDead && !world.isOver && !Task.isCancelled }

    func follows(_ account: UUID) -> Bool { fence != nil && Self.parts(part).contains(account) }

    /// The people of the part.
    private lazy var accounts = world.people.map(\.account).filter(Self.parts(part).contains)

    private static func parts(_ part: Int) -> FeedParts { FeedParts(count: World.partsCount, numbers: [part]) }

    /// Follows what this process has of the part from now on.
    func follow(_ new: WorldPart?) async {
        guard new?.fence != fence || fence != toldFence else { return }
        await stop()
        (fence, toldFence) = (new?.fence, new?.fence)
        process.standby.roster.follow(
            FeedParts(count: World.partsCount, numbers: new == nil ? [] : [part]), ofShard: part)
        guard new != nil else { return }
        process.partsChanged.raise()
        tasks = [world.loop.task { [self] in await run() }, world.loop.task { [self] in await foresee() }]
    }

    /// Saves what is kept, if that takes no time.
    func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        (tasks, fence) = ([], nil)
        (waitingSince, isForeseeing, mark, pending) = (nil, false, nil, 0)
    }

    // MARK: What is applied

    private func run() async {
        while isGoingOn {
            do {
                try await followStored()
            } catch {
                waitingSince = waitingSince ?? .now()
                news.raise()
                _ = await world.sleep(error is LostPart ? 0.5 : world.random.value(in: 0.05...0.2))
            }
        }
    }

    private func followStored() async throws {
        let (part, id) = (part, process.id)
        let stored = try await world.database.transaction(process, deadline: .after(.seconds(2)), isReading: true) {
            tables, _ in tables.parts[part]
        }
        guard stored.holder == id, stored.fence == fence else { throw LostPart() }
        cursor = stored.cursor
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await followChanges()) } catch { outcome = .failure(error) }
        await endSaving()
        try outcome.get()
    }

    private func followChanges() async throws {
        reached(cursor)
        while isGoingOn {
            waitingSince = waitingSince ?? .now()
            news.raise()
            try await save()
            let fed = world.feed.news.value
            let events = world.feed.events(ofPart: part, from: cursor)
            guard !events.isEmpty else {
                reached(cursor)
                await judgeBacklog()
                let wait = isPending ? Self.pollInterval : .seconds(1)
                _ = await world.feed.news.wait(after: fed, deadline: .after(wait))
                continue
            }
            if !isForeseeing { pending = cursor + events.count }
            try await apply(events)
            if !isPending { saveDue = .after(Self.saveInterval) }
            hasKept = true
            cursor += events.count
            reached(cursor)
        }
    }

    /// As `LiveSamplesHandler`.
    private func apply(_ events: [WorldFeed.Event]) async throws {
        await process.desk.settleBefore(judging: Set(events.map(\.samples.accountID)))
        let loud = try await process.live.judge(events.map { $0.upload(in: world) })
        if !loud.isEmpty {
            let (part, process, fence) = (part, process, fence)
            let accounts = Set(loud.map(\.samples.accountID))
            try await world.database.transaction(process, deadline: nil, locks: { $0.locks(toWatch: accounts) }) {
                tables, commit in
                guard tables.parts[part].holder == process.id, tables.parts[part].fence == fence else {
                    throw LostPart()
                }
                process.observe(loud, &tables, &commit)
            }
        }
        world.watch.judged(events)
    }

    // MARK: What is saved

    private func save() async throws {
        if let done = saving, done.isDone {
            saving = nil
            try await done.task.value
            try await moveCursor(to: done.cursor)
        }
        guard hasKept, saving == nil, saveDue.hasPassed else { return }
        (hasKept, saveDue) = (false, .after(Self.saveInterval))
        guard let live = process.live else { return }
        saving = Saving(cursor: cursor, task: world.loop.throwingTask { try await live.save() })
        world.loop.task { [self, task = saving?.task] in
            _ = await task?.result
            saving?.isDone = true
        }
    }

    private func moveCursor(to cursor: Int) async throws {
        let (part, process, fence) = (part, process, fence)
        try await world.database.transaction(process, deadline: nil, locks: { _ in [.part(part)] }) { tables, _ in
            guard tables.parts[part].holder == process.id, tables.parts[part].fence == fence else { throw LostPart() }
            tables.parts[part].cursor = max(cursor, tables.parts[part].cursor)
        }
    }

    private func endSaving() async {
        let isPending = isPending
        saving?.task.cancel()
        _ = await saving?.task.result
        (saving, hasKept) = (nil, false)
        guard isPending, Task.isCancelled, !process.isDead, !world.isOver else { return }
        guard let live = process.live else { return }
        let cursor = cursor
        let work = world.loop.throwingTask { [self] in
            try await live.save()
            try await moveCursor(to: cursor)
        }
        let limit = world.loop.task { [world] in
            _ = await world.sleep(Self.lastSaveMax)
            work.cancel()
        }
        _ = await work.result
        limit.cancel()
    }

    /// As `BacklogWatch`: everything has been read.
    private func judgeBacklog() async {
        let tables = world.database.tables
        let due = accounts.filter { tables.monitors[$0]?.judgeBy != nil && tables.gaps[$0] == nil }
        guard !due.isEmpty else { return }
        let process = process
        _ = try? await world.database.transaction(
            process, deadline: .after(.seconds(2)), locks: { $0.locks(toWatch: Set(due)) }
        ) { tables, commit in
            process.change(Set(due), &tables, &commit) { people, surroundings in
                for account in due { people[account]?.judgeBacklog(isRead: true, in: surroundings) }
            }
        }
    }

    // MARK: Foresight

    /// As `Foresight.reached`.
    private func reached(_ cursor: Int) {
        let isAtHand =
            isForeseeing
            && (mark.map { cursor >= $0.cursor && Deadline.now().since($0.at) < Self.foresightAfter } ?? true)
        if isAtHand || cursor >= (isForeseeing ? foreseen : pending) {
            (waitingSince, isForeseeing, mark, foreseen, pending) = (nil, false, nil, cursor, cursor)
        } else if let mark, cursor >= mark.cursor {
            self.mark = (foreseen, .now())
        }
        news.raise()
    }

    private func foresee() async {
        while isGoingOn {
            let seen = news.value
            guard let since = waitingSince else {
                _ = await news.wait(after: seen)
                continue
            }
            let due = since.advanced(by: Self.foresightAfter)
            guard due.hasPassed else {
                _ = await news.wait(after: seen, deadline: due)
                continue
            }
            isForeseeing = true
            foreseen = cursor
            mark = (cursor, .now())
            world.tell("replica \(process.place) judges part \(part) without the database")
            while isGoingOn, isForeseeing {
                let fed = world.feed.news.value
                let events = world.feed.events(ofPart: part, from: foreseen)
                guard !events.isEmpty else {
                    _ = await world.feed.news.wait(after: fed, deadline: .after(.milliseconds(100)))
                    continue
                }
                foreseen += events.count
                let strangers = await process.watch.observe(events.map { $0.upload(in: world) }, ofShard: part)
                for account in strangers.sorted() { world.tell("\(world.name(account)) is not in memory") }
                world.watch.judged(events)
            }
            process.watch.end(shard: part)
        }
    }
}
