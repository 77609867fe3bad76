import Postgres
public import Primitives
public import Reactor
import Synchronization

/// Writes entries about reads whose data is not in the service's own database, and so cannot be noted by the statement that reads.
/// Each is committed before the answer is given: at once, or together with others when many come at the same time.
public final class AuditWriter: Sendable {
    /// Of which access an entry tells.
    public struct Reading: Hashable, Sendable {
        let actor: String
        let action: String
        let account: UUID
        let purpose: String
        let onBehalfOf: UUID?

        /// - Parameters:
        ///   - actor: the service that asked.
        ///   - account: whose data.
        ///   - onBehalfOf: the account that asked through the service.
        public init(actor: String, action: String, account: UUID, purpose: String, onBehalfOf: UUID? = nil) {
            self.actor = actor
            self.action = action
            self.account = account
            self.purpose = purpose
            self.onBehalfOf = onBehalfOf
        }
    }

    /// Statements at the same time. Whoever comes while so many are under way waits for one of them, and is written with all who wait.
    static let writersMax = 4
    /// Readings, or lists of such, in one statement …
    static let togetherMax = 200
    /// … and those that may wait for it.
    static let waitingMax = 10_000
    /// A reading that goes on (a stream, page after page) is one entry in this time, or in up to twice as much, …
    static let onceIn = Duration.seconds(1800)
    /// … unless there are more than so many.
    static let rememberedMax = 50_000

    /// Readings whose entry is there, of this time and of the one before.
    private struct Remembered {
        var (recent, older): (Set<Reading>, Set<Reading>) = ([], [])
        var since = Deadline.now()
    }

    private let now: @Sendable () -> Deadline
    private let remembered = Mutex(Remembered())
    private let writing: GroupCommit<[Reading], Void>

    public init(_ audit: AuditTrail, now: @escaping @Sendable () -> Deadline = { .now() }) {
        self.now = now
        // Whoever waits for an entry waits for one commit, and not first for somebody else's.
        writing = GroupCommit(
            itemsMax: Self.togetherMax, waitingMax: Self.waitingMax, turns: CommitTurns(Self.writersMax),
            patience: .zero
        ) { readings in
            try await audit.append(readings.flatMap(\.self))
            return readings.map { _ in }
        }
    }

    /// Returns when there is an entry of this reading. Call on a loop. Errors: those of the database; `overloaded` when very many wait.
    public func note(_ reading: Reading) async throws { try await note([reading]) }

    /// The same of several, together.
    public func note(_ readings: [Reading]) async throws {
        let new = remembered.withLock { remembered in
            turn(&remembered)
            var seen: Set<Reading> = []
            return readings.filter { reading in
                !remembered.recent.contains(reading) && !remembered.older.contains(reading)
                    && seen.insert(reading).inserted
            }
        }
        guard !new.isEmpty else { return }
        do { try await writing.submit(new) } catch IOError.limit { throw PostgresError.overloaded }
        remembered.withLock { $0.recent.formUnion(new) }
    }

    /// Forgets what was long ago.
    private func turn(_ state: inout Remembered) {
        let now = now()
        let age = now.since(state.since)
        guard state.recent.count >= Self.rememberedMax || age >= Self.onceIn else { return }
        (state.recent, state.older, state.since) = ([], age >= Self.onceIn * 2 ? [] : state.recent, now)
    }
}

extension AuditTrail {
    /// Entries with people's own ids, whose pseudonyms `AuditSchema.people` has.
    fileprivate func append(_ readings: [AuditWriter.Reading]) async throws(PostgresError) {
        // Arrays hold no nulls.
        let none = UUID(high: 0, low: 0)
        let people = Array(Set(readings.map(\.account) + readings.compactMap(\.onBehalfOf)))
        // Whose pseudonyms are made, in the same order everywhere: two statements never wait for each other.
        try await database.execute(
            """
            with known as materialized (
              select account, audit_pseudonym(account) as pseudonym
              from (select account from unnest(\(people)) p (account) order by account) sorted)
            insert into \(sql: prefix)audit_waiting (actor, action, pseudonym, purpose, on_behalf_of)
            select e.actor, e.action, p.pseudonym, e.purpose, a.pseudonym
            from unnest(\(readings.map(\.actor)), \(readings.map(\.action)), \(readings.map(\.account)),
                \(readings.map(\.purpose)), \(readings.map { $0.onBehalfOf ?? none }))
                with ordinality e (actor, action, account, purpose, asker, n)
              left join known p on p.account = e.account left join known a on a.account = e.asker
            order by e.n
            """)
    }
}
