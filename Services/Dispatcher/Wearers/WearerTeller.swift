import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Publishes how wearers stand as `dispatcher.wearers`, beside everything else: it looks at what is stored, after it is stored, in
/// transactions of its own, and nothing waits for it. What it could not tell it finds again with the next look, whichever replica
/// looks (`Wearers/README.md`).
struct WearerTeller: Sendable {
    /// How often somebody looks without having been woken: what another replica has changed and did not tell before it died.
    static let interval = Duration.seconds(1)
    /// After something was told: many changes together are one look.
    static let pause = Duration.milliseconds(100)
    static let batchMax = 500
    private static let snapshotPageMax = 200
    private static let time = Duration.seconds(5)

    let database: Database
    let feeds: FeedProducer
    /// Raised when an incident or the phase of a monitor has changed here.
    let changes: EventCounter
    let log: Log

    /// Until cancelled. Call on a loop.
    func run() async {
        await changes.rounds(every: Self.interval) {
            while try await tell() == Self.batchMax {}
            try await EventLoop.current?.sleep(for: Self.pause)
        } failed: { error in
            log.warning("wearers are not told of changes", ["error": Log.text(of: error)])
        }
    }

    /// One look; returns the number of people of whom there was news.
    @discardableResult
    func tell() async throws -> Int {
        let rows = try await read(WearerSituation.news(max: Self.batchMax))
        guard !rows.isEmpty else { return 0 }
        try await database.transaction(deadline: .after(Self.time)) { transaction in
            // Held, so that who is erased meanwhile is erased afterwards, with what is written here, or before, and is not written.
            let enrolled = Set(
                try await transaction.query(
                    """
                    select account from enrolment where account = any(\(rows.map(\.account))) and is_active
                    order by account for key share
                    """, as: UUID.self))
            let told = Set(
                try await write(rows.filter { enrolled.contains($0.account) }, isNew: true, in: transaction)
                    + write(rows.filter { !enrolled.contains($0.account) }, isNew: false, in: transaction))
            let events = try rows.filter { told.contains($0.account) }.map { row in
                try Self.event(row.situation.state, of: row.account, version: row.version + 1)
            }
            if !events.isEmpty { try await feeds.publish(events, in: transaction) }
        }
        return rows.count
    }

    /// Writes what is told; returns of whom. Whoever has told of a person meanwhile knew more, or as much. With `isNew` also of people
    /// of whom nothing was told before.
    private func write(
        _ rows: [WearerSituation.Row], isNew: Bool, in transaction: Transaction
    ) async throws -> [UUID] {
        guard !rows.isEmpty else { return [] }
        let new: SQL = """
            select * from unnest(\(rows.map(\.account)), \(rows.map { $0.version + 1 }),
              \(rows.map(\.situation.toldPhase.rawValue)), \(rows.map(\.situation.open?.id)),
              \(rows.map(\.situation.open?.revision))) as n (account, version, phase, incident, revision)
            """
        guard isNew else {
            return try await transaction.query(
                """
                update wearer w set version = n.version, phase = n.phase, incident = n.incident, revision = n.revision
                from (\(sql: new)) n where w.account = n.account and w.version = n.version - 1
                returning w.account
                """, as: UUID.self)
        }
        return try await transaction.query(
            """
            insert into wearer as w (account, version, phase, incident, revision) \(sql: new)
            on conflict on constraint wearer_key do update
            set version = excluded.version, phase = excluded.phase, incident = excluded.incident,
              revision = excluded.revision
            where w.version = excluded.version - 1
            returning account
            """, as: UUID.self)
    }

    /// Of somebody who is erased: whatever was told is void, and nothing is kept of it.
    func forget(_ account: UUID, in transaction: Transaction) async throws {
        let version = try await transaction.queryOne(
            "delete from wearer where account = \(account) returning version + 1", as: Int64.self)
        guard let version else { return }
        try await feeds.publish([Self.event(.init(.calm), of: account, version: version)], in: transaction)
    }

    /// How one person stands now.
    func situation(of account: UUID) async throws -> WearerSituation.Row? {
        try await read(WearerSituation.select("select \(account)::uuid as account")).first
    }

    private func read(_ statement: SQL) async throws(PostgresError) -> [WearerSituation.Row] {
        try await database.run(statement, deadline: .after(Self.time)).rows.map { row throws(PostgresError) in
            try WearerSituation.Row(row: row)
        }
    }

    private static func event(
        _ state: Dispatcher.WearerState, of account: UUID, version: Int64
    ) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Dispatcher.wearersFeed, entity: account, version: version, kind: Dispatcher.wearersKind,
            encoding: state)
    }

    /// The feed, with everybody of whom there is more to tell than that all is well as its snapshot.
    static func feed(_ database: Database) -> FeedDefinition {
        FeedDefinition(
            name: Dispatcher.wearersFeed, durable: [], ephemeral: [ServiceName.ingestion.rawValue]
        ) { page in
            let after = page.flatMap { UUID($0) } ?? UUID(high: 0, low: 0)
            let told: SQL = """
                select account from wearer where (incident is not null or phase <> 'normal') and account > \(after)
                order by account limit \(snapshotPageMax)
                """
            let rows = try await database.run(WearerSituation.select(told), deadline: .after(time)).rows
            let people = try rows.map { row throws(PostgresError) in try WearerSituation.Row(row: row) }
                .sorted { $0.account < $1.account }
            let entities = try people.map { row in
                FeedEntity(
                    entity: row.account, version: row.version, kind: Dispatcher.wearersKind,
                    payload: try JSONRaw(encoding: row.situation.state))
            }
            return .init(
                entities: entities, next: people.count < snapshotPageMax ? nil : people.last?.account.description)
        }
    }
}
