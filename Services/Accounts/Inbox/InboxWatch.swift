import HTTP
import Postgres
import Primitives
import Reactor
import Synchronization

/// The inboxes that are open in this process: one question a second to the database finds what came for any of them, through
/// whichever replica (ACC-17).
final class InboxWatch: Sendable {
    static let interval = Duration.seconds(1)
    /// Open inboxes of one account, and of all.
    static let perAccountMax = 20
    static let allMax = 10_000
    /// Messages that wait for one reader; who is further behind is disconnected, and asks for what is lacking.
    static let waitingMax = 200
    /// A message is found if its transaction takes no longer than this.
    private static let overlap = Duration.seconds(10)
    /// What came is kept so long for this. After a longer time without an answer of the database all readers begin anew.
    private static let memory = Duration.seconds(600)

    /// One open inbox.
    final class Reader: Sendable {
        let account: UUID
        private struct State {
            var waiting: [UUID] = []
            var isEnded = false
        }
        private let state = Mutex(State())
        private let changed = EventCounter()

        init(account: UUID) { self.account = account }

        fileprivate func add(_ message: UUID) {
            state.withLock { state in
                state.waiting.append(message)
                if state.waiting.count > InboxWatch.waitingMax { state.isEnded = true }
            }
            changed.raise()
        }

        func end() {
            state.withLock { $0.isEnded = true }
            changed.raise()
        }

        /// What has come; nothing after so long without; `nil` at the end.
        func next(within time: Duration) async -> [UUID]? {
            let deadline = Deadline.after(time)
            while true {
                let seen = changed.value
                let taken = state.withLock { state -> [UUID]? in
                    if state.isEnded { return nil }
                    defer { state.waiting = [] }
                    return state.waiting
                }
                guard let taken else { return nil }
                if !taken.isEmpty || deadline.hasPassed || Task.isCancelled { return taken }
                _ = await changed.wait(after: seen, deadline: deadline)
            }
        }
    }

    private struct State {
        var streams = OpenStreams<Reader>(
            perAccountMax: perAccountMax, allMax: allMax,
            tooMany: "at most \(perAccountMax) of one account's inboxes are followed at the same time",
            full: "too many inboxes are followed; ask for the page")
        /// Those that were found in the last seconds, which are found again.
        var found: Set<UUID> = []
        var asked: Deadline?
    }

    private let database: Database
    private let state = Mutex(State())

    init(database: Database) { self.database = database }

    /// Whether an account may open its inbox once more. Throws 429 `too-many-streams`, 503 `overloaded`.
    func check(_ account: UUID) throws(Problem) {
        try state.withLock { state throws(Problem) in try state.streams.check(account) }
    }

    /// Throws as `check`.
    func open(_ account: UUID) throws(Problem) -> Reader {
        let reader = Reader(account: account)
        try state.withLock { state throws(Problem) in try state.streams.add(reader, of: account) }
        return reader
    }

    func close(_ reader: Reader) { state.withLock { $0.streams.remove(reader, of: reader.account) } }

    /// One question; none while nobody reads.
    func look() async throws(PostgresError) {
        let now = Deadline.now()
        let span = state.withLock { state -> Duration? in
            guard state.streams.count > 0 else {
                (state.found, state.asked) = ([], nil)
                return nil
            }
            return Self.overlap + (state.asked.map { now.since($0) } ?? .zero)
        }
        guard let span else { return }
        guard span < Self.memory / 2 else { return endAll() }
        let arrived = try await database.query(
            """
            select message, account from message_arrival
            where recorded_at > clock_timestamp() - interval '1 millisecond' * \(span.milliseconds) order by recorded_at
            """, as: UUID.self, UUID.self)
        tell(arrived, at: now)
    }

    private func tell(_ arrived: [(UUID, UUID)], at now: Deadline) {
        state.withLock { state in
            state.asked = now
            for (message, account) in arrived where !state.found.contains(message) {
                state.streams.readers[account]?.forEach { $0.add(message) }
            }
            state.found = Set(arrived.map(\.0))
        }
    }

    private func endAll() {
        state.withLock { state in
            for reader in state.streams.readers.values.joined() { reader.end() }
            (state.found, state.asked) = ([], nil)
        }
    }

    /// Deletes what is too old for this.
    static func forget() -> SQL {
        "delete from message_arrival where recorded_at < clock_timestamp() - interval '1 second' * \(memory.components.seconds)"
    }
}
