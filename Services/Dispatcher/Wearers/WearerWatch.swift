import HTTP
import Postgres
import Primitives
import Reactor
import Synchronization

/// The streams that are open in this process: one question a second to the database, and one for each change that was made here,
/// finds of whom something was told (`WearerTeller`), through whichever replica.
final class WearerWatch: Sendable {
    static let interval = Duration.seconds(1)
    /// Streams of one account, and of all.
    static let perAccountMax = 8
    static let allMax = 5000

    /// One open stream.
    final class Reader: Sendable {
        let account: UUID
        private let state = Mutex<(seen: Int64?, isNews: Bool, isEnded: Bool)>((nil, false, false))
        private let changed = EventCounter()

        init(account: UUID) { self.account = account }

        /// Call with the version that the first event is of: what is told after it is news.
        func begin(at version: Int64) { state.withLock { $0.seen = version } }

        /// Takes note of what was told last; several together are one.
        fileprivate func follow(_ version: Int64) {
            let isNews = state.withLock { state in
                guard let seen = state.seen, seen != version else { return false }
                state.seen = version
                state.isNews = true
                return true
            }
            if isNews { changed.raise() }
        }

        func end() {
            state.withLock { $0.isEnded = true }
            changed.raise()
        }

        /// Whether there is news; false after so long without; `nil` at the end.
        func next(within time: Duration) async -> Bool? {
            let deadline = Deadline.after(time)
            while true {
                let seen = changed.value
                let isNews = state.withLock { state -> Bool? in
                    if state.isEnded { return nil }
                    defer { state.isNews = false }
                    return state.isNews
                }
                guard let isNews else { return nil }
                if isNews || deadline.hasPassed || Task.isCancelled { return isNews }
                _ = await changed.wait(after: seen, deadline: deadline)
            }
        }
    }

    private let database: Database
    private let streams = Mutex(
        OpenStreams<Reader>(
            perAccountMax: perAccountMax, allMax: allMax,
            tooMany: "at most \(perAccountMax) streams of one account are open at the same time",
            full: "too many streams are open; ask for the monitor and incidents"))

    init(database: Database) { self.database = database }

    /// Throws 429 `too-many-streams`, 503 `overloaded`.
    func check(_ account: UUID) throws(Problem) {
        try streams.withLock { streams throws(Problem) in try streams.check(account) }
    }

    /// Throws as `check`.
    func open(_ account: UUID) throws(Problem) -> Reader {
        let reader = Reader(account: account)
        try streams.withLock { streams throws(Problem) in try streams.add(reader, of: account) }
        return reader
    }

    func close(_ reader: Reader) { streams.withLock { $0.remove(reader, of: reader.account) } }

    /// Until cancelled. Call on a loop.
    func run(_ changes: EventCounter, failed: (any Error) -> Void) async {
        await changes.rounds(every: Self.interval) {
            // The teller is woken by the same change, and is first.
            try await EventLoop.current?.sleep(for: WearerTeller.pause)
            try await look()
        } failed: {
            failed($0)
        }
    }

    /// One question; none while nobody reads.
    func look() async throws(PostgresError) {
        let accounts = streams.withLock { Array($0.readers.keys) }
        guard !accounts.isEmpty else { return }
        let told = try await database.query(
            """
            select a.account, coalesce(w.version, 0) from unnest(\(accounts)) as a (account)
            left join wearer w on w.account = a.account
            """, as: UUID.self, Int64.self)
        let readers = streams.withLock { streams in told.map { (streams.readers[$0.0] ?? [], $0.1) } }
        for (readers, version) in readers { for reader in readers { reader.follow(version) } }
    }
}
