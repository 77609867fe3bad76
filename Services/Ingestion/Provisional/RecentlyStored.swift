import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization
import Telemetry

/// Uploads of people whom AutomatedSOS watches that were stored a moment ago. Where a standby is promoted that lacks the last commits,
/// they are stored again: the device has been told that they are stored and sends them no more, and whoever had not read them yet would
/// never judge them (SOS-07). What the standby has is a repeat, and changes nothing.
///
/// With quorum synchronous standbys, as production has them, nothing that was acknowledged is lacking. What a process loses together
/// with the database is lost.
final class RecentlyStored: Sendable {
    static let interval = Duration.seconds(1)
    static let timeMax = Duration.seconds(60)
    static let uploadsMax = 10_000
    static let samplesMax = 1_000_000
    private static let togetherMax = 16

    private struct Item {
        let arrival: NewArrival
        let at: Deadline
    }

    private struct State {
        /// From `first` on, the oldest first.
        var items: [Item] = []
        var first = 0
        var samples = 0
        /// Of the database that they are in.
        var timeline: String?
    }

    private let state = Mutex(State())
    private let log: Log

    init(log: Log) { self.log = log }

    var count: Int { state.withLock { $0.items.count - $0.first } }

    /// Call once an upload is stored.
    func keep(_ arrival: NewArrival, at now: Deadline = .now()) {
        state.withLock { state in
            state.items.append(Item(arrival: arrival, at: now))
            state.samples += arrival.batch.count
            while state.items.count - state.first > 1 {
                let oldest = state.items[state.first]
                let count = state.items.count - state.first
                guard count > Self.uploadsMax || state.samples > Self.samplesMax || now.since(oldest.at) > Self.timeMax
                else { break }
                state.samples -= oldest.arrival.batch.count
                state.first += 1
            }
            if state.first > 64, state.first > state.items.count / 2 {
                state.items.removeFirst(state.first)
                state.first = 0
            }
        }
    }

    /// The timeline of a database: another one after each promotion.
    static func timeline(of database: Database) async throws -> String? {
        try await database.queryOne("select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)", as: String.self)
    }

    /// Stores all of them again when the timeline is another one than before; call about once a second. Returns how many were
    /// lacking. When that fails it begins anew with the next call.
    @discardableResult
    func look(
        _ timeline: String?, at time: Timestamp, now: Deadline = .now(),
        store: @escaping @Sendable (NewArrival) async throws -> ArrivalOutcome
    ) async throws -> Int {
        guard let timeline else { return 0 }
        let items = state.withLock { state -> [Item] in
            let before = state.timeline ?? timeline
            guard before != timeline else { return [] }
            return Array(state.items[state.first...])
        }
        // Of a person in the order in which they came, so that a person's are never under way together.
        var people: [[Item]] = Dictionary(grouping: items, by: \.arrival.account).values.map { $0 }
        let lacking = try await withThrowingTaskGroup(of: Int.self) { group in
            var lacking = 0
            for _ in 0..<Self.togetherMax {
                guard let next = people.popLast() else { break }
                group.addTask { try await Self.store(next, at: time, now, store) }
            }
            while let count = try await group.next() {
                lacking += count
                if let next = people.popLast() {
                    group.addTask { try await Self.store(next, at: time, now, store) }
                }
            }
            return lacking
        }
        state.withLock { $0.timeline = timeline }
        if lacking > 0 {
            log.error(
                "the database that was promoted lacked uploads of watched people: they are stored again",
                ["uploads": .integer(Int64(lacking))])
        }
        return lacking
    }

    private static func store(
        _ items: [Item], at time: Timestamp, _ now: Deadline,
        _ store: (NewArrival) async throws -> ArrivalOutcome
    ) async throws -> Int {
        var lacking = 0
        for item in items {
            if case .stored(1..., _) = try await store(item.arrival.again(at: time, after: now.since(item.at))) {
                lacking += 1
            }
        }
        return lacking
    }
}

extension NewArrival {
    /// As if the device had sent it now, `age` after it did: its samples are as old as they are.
    fileprivate func again(at time: Timestamp, after age: Duration) -> NewArrival {
        let age = max(.zero, age)
        return NewArrival(
            account: account, source: source, content: content, receivedAt: time, sentAt: sentAt + age,
            isByDeviceClock: isByDeviceClock, correction: correction, batch: batch, key: key, dropped: dropped)
    }
}
