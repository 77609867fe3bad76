import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives

/// Publishes the feed `track4run.watch`: people who have checked in to a run, whose samples of its time ingestion
/// passes on (RUN-08). The entity follows from run and runner, so that two runs of one person do not overwrite each
/// other.
struct WatchPublisher: Sendable {
    private static let pageMax: Int64 = 500
    /// How long after the run samples measured in its time are passed on. Normally that ends earlier, when the ranking
    /// is official; the rest of the time is for outages.
    static let lateArrivals = Duration.seconds(86_400)

    let feeds: FeedProducer

    /// Watches a runner for the time of the run; one who has left it, until then. What the runner shares is stored already.
    func begin(_ runner: UUID, _ run: Run, leftAt: Timestamp? = nil, in transaction: Transaction) async throws {
        try await publish([runner], run.id, in: transaction) { runner, sharesHeartRate in
            Self.watch(
                runner, from: run.start, to: run.end, leftAt: leftAt,
                showsHeartRate: sharesHeartRate && run.isOfCompany)
        }
    }

    func end(_ runner: UUID, _ run: Run, in transaction: Transaction) async throws {
        try await publish([runner], run.id, in: transaction) { runner, _ in
            .init(accountID: runner, isWatched: false)
        }
    }

    /// Ends the watch of all runners: at most `RunDraft.participantsMax`.
    func endAll(of run: Run, in transaction: Transaction) async throws {
        let watched = try await transaction.query(
            "select runner_id from enrolment where run_id = \(run.id) and state in ('checked-in', 'left')",
            as: UUID.self)
        try await publish(watched, run.id, in: transaction) { runner, _ in .init(accountID: runner, isWatched: false) }
    }

    /// Only what is shown leaves ingestion.
    private static func watch(
        _ runner: UUID, from start: Timestamp, to end: Timestamp, leftAt: Timestamp?, showsHeartRate: Bool
    ) -> Ingestion.Watch {
        Ingestion.Watch(
            accountID: runner, isWatched: true, measuredFrom: start,
            measuredTo: max(start, min(end, leftAt ?? end)), until: end + lateArrivals,
            types: showsHeartRate ? [.position, .heartRate] : [.position])
    }

    private func publish(
        _ runners: [UUID], _ run: UUID, in transaction: Transaction,
        _ watch: (_ runner: UUID, _ sharesHeartRate: Bool) -> Ingestion.Watch
    ) async throws {
        // Versions of one entity are drawn while its run is locked, so they grow in the order of the commits.
        let rows = try await transaction.query(
            """
            update enrolment set watch_version = nextval('watch_version')
            where run_id = \(run) and runner_id = any(\(runners))
            returning runner_id, watch_version, shares_heart_rate
            """, as: UUID.self, Int64.self, Bool.self)
        let events = try rows.map { runner, version, sharesHeartRate in
            try FeedEvent(
                feed: Track4Run.watchFeed, entity: Self.entity(run, runner), version: version, kind: "watch",
                encoding: watch(runner, sharesHeartRate))
        }
        try await feeds.publish(events, in: transaction)
    }

    private static func entity(_ run: UUID, _ runner: UUID) -> UUID {
        Store.identifier(run, "watch", "\(runner)")
    }

    // MARK: Snapshot

    private struct Page: Codable {
        let run: UUID
        let runner: UUID
    }

    /// The feed, with all who are watched now as its snapshot, in pages.
    static func definition(database: Database) -> FeedDefinition {
        FeedDefinition(name: Track4Run.watchFeed, durable: ["ingestion", "dispatcher"]) { page in
            try await snapshot(after: page, in: database)
        }
    }

    private static func snapshot(after page: String?, in database: Database) async throws -> FeedDefinition.Page {
        let after = try page.map { try JSONDecoder().decode(Page.self, from: Array($0.utf8)) }
        let first = UUID(high: 0, low: 0)
        let rows = try await database.rows(
            """
            select e.run_id, e.runner_id, r.starts_at, r.ends_at, e.left_at, e.watch_version,
              e.shares_heart_rate and r.organiser_kind <> \(AccountKind.individual.rawValue) as shows_heart_rate
            from enrolment e join run r on r.id = e.run_id
            where e.state in ('checked-in', 'left') and r.state = 'open'
              and (e.run_id, e.runner_id) > (\(after?.run ?? first), \(after?.runner ?? first))
            order by e.run_id, e.runner_id limit \(pageMax)
            """)
        let entities = try rows.map { row in
            let (run, runner): (UUID, UUID) = (try row["run_id"], try row["runner_id"])
            let payload = watch(
                runner, from: try row["starts_at"], to: try row["ends_at"], leftAt: try row["left_at"],
                showsHeartRate: try row["shows_heart_rate"])
            return FeedEntity(
                entity: entity(run, runner), version: try row["watch_version"], kind: "watch",
                payload: try JSONRaw(encoding: payload))
        }
        var next: String?
        if rows.count == Int(pageMax), let last = rows.last {
            let page = Page(run: try last["run_id"], runner: try last["runner_id"])
            next = String(decoding: try JSONEncoder().encode(page), as: UTF8.self)
        }
        return FeedDefinition.Page(entities: entities, next: next)
    }
}
