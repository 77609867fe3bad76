import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import Synchronization
import Telemetry

/// Makes the first events of a request as soon as its data may be read, whoever listens: the first page or file is there when it is
/// asked for (REQ-08). What comes after them is read when somebody listens (`EventWriter`), and so is all of it when this has failed
/// or was lost in a crash.
final class ReadAhead: Sendable {
    /// Of one request, about: a turn ends the reading once it has more.
    static let samplesMax = 10_000
    /// Requests that wait; those beyond are read when somebody asks for them.
    private static let waitingMax = 10_000
    /// Requests that are read together, and how often one after the other: a call brings what fits of all.
    private static let (togetherMax, turnsMax) = (20, 100)
    /// After a failure that concerns all.
    private static let pause = Duration.seconds(1)

    private let database: Database
    private let log: EventLog
    private let samples: SampleReader
    private let clock: any WallClock
    private let messages: Log
    private let unreadable: UnreadableRows
    private let pricing: Pricing?
    private let waiting = Mutex<[UUID]>([])
    private let work = EventCounter()

    /// `pricing` is `nil` where nothing costs anything.
    init(
        database: Database, log: EventLog, ingestion: any RPCCaller, clock: any WallClock, messages: Log,
        unreadable: UnreadableRows, pricing: Pricing?
    ) {
        self.database = database
        self.log = log
        self.clock = clock
        self.messages = messages
        self.unreadable = unreadable
        self.pricing = pricing
        samples = SampleReader(ingestion: ingestion)
    }

    /// A request was accepted or paid: call after the commit.
    func begin(_ request: UUID) {
        waiting.withLock { waiting in
            if waiting.count < Self.waitingMax { waiting.append(request) }
        }
        work.raise()
    }

    /// Reads what waits until the task is cancelled. Call on a loop.
    func run() async throws {
        var failure = RepeatedFailure()
        while !Task.isCancelled {
            let seen = work.value
            let next = waiting.withLock { waiting in
                let next = Array(waiting.prefix(Self.togetherMax))
                waiting.removeFirst(next.count)
                return next
            }
            guard !next.isEmpty else {
                _ = await work.wait(after: seen)
                continue
            }
            do {
                try await read(next)
                failure.succeeded()
            } catch {
                guard !Task.isCancelled else { return }
                if failure.isToBeTold() {
                    messages.warning(
                        "data is not read ahead; it is read when it is asked for",
                        ["requests": .integer(Int64(next.count)), "error": Log.text(of: error)])
                }
                try await EventLoop.current?.sleep(for: Self.pause)
            }
        }
    }

    private func read(_ requests: [UUID]) async throws {
        var left = try await ReadingStore.readings(
            .only(requests), at: clock.now(), if: .isPaid(pricing), reporting: unreadable, in: database
        ).filter(\.mayBeReadAhead)
        var counts: [UUID: Int] = [:]
        for _ in 0..<Self.turnsMax where !left.isEmpty {
            let turns = try await samples.read(left)
            // Readings that are elsewhere by now are somebody else's.
            let added = Set(try await log.add(turns, at: clock.now(), in: database).added.map(\.request))
            left = turns.compactMap { turn in
                let request = turn.before.request
                guard !turn.hasFailed, turn.hasMore, turn.data == nil || added.contains(request) else { return nil }
                counts[request, default: 0] += turn.data?.counts.values.reduce(0, +) ?? 0
                var next = turn.after
                if turn.data != nil { next.saved = next.place }
                return counts[request, default: 0] < Self.samplesMax ? next : nil
            }
        }
    }
}

extension Reading {
    /// Sums, and updates at certain times, are given when their time has come.
    fileprivate var mayBeReadAhead: Bool {
        granularity == .raw && frequency.interval == nil && place == .beginning
    }
}
