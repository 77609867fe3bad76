import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Enrolments in the database, published as `dispatcher.watch`.
struct EnrolmentStore: Sendable {
    static let snapshotPageMax = 200

    let database: Database
    let keys: SubjectKeys
    let feeds: FeedProducer
    let contacts: ContactStore
    /// People who cannot be watched again yet after a pause.
    let unresumed = Retries<UUID>(backOff: BackOff(base: .seconds(1), max: .seconds(30)))

    /// `nil` for somebody who is not enrolled, or no longer. Errors: `KeyMissing`, the key store's.
    func find(_ account: UUID) async throws -> Enrolment? {
        let row = try await database.queryOne(
            """
            select version, rules, clauses_version, details, enrolled_at, clauses_accepted_at, paused_until
            from enrolment where account = \(account) and is_active
            """, as: Int64.self, RuleSet.self, String.self, [UInt8].self, Timestamp.self, Timestamp.self,
            Timestamp?.self)
        guard let row, let key = try await keys.existingKey(of: account) else { return nil }
        return Enrolment(
            account: account, version: row.0, rules: row.1, clausesVersion: row.2,
            details: try PersonalColumn.enrolment.open(packed: row.3, of: account, with: key), enrolledAt: row.4,
            clausesAcceptedAt: row.5, pausedUntil: row.6)
    }

    /// Whether the person is enrolled, paused or not.
    func isEnrolled(_ account: UUID, deadline: Deadline? = nil) async throws(PostgresError) -> Bool {
        try await database.queryOne(
            "select exists (select from enrolment where account = \(account) and is_active)", as: Bool.self,
            deadline: deadline) ?? false
    }

    /// Whether a device's token that has ended serves (`Identity.isOverdue`): an alarm depends on that of nobody but who is enrolled. Where
    /// it cannot be told within half a second, who is in need comes first.
    func admitsOverdue(_ account: UUID) async -> Bool {
        (try? await isEnrolled(account, deadline: .after(Self.admissionMax))) ?? true
    }

    private static let admissionMax = Duration.milliseconds(500)

    /// Creates or changes an enrolment; the person is watched when this returns, unless paused. True when the person was not enrolled
    /// before: then `welcome` is written in the same transaction, and `acceptance` of a price in any case. Errors: `Problem` for an account that is erased, `KeyMissing`, the
    /// key store's.
    func put(
        _ form: EnrolmentForm, _ details: EnrolmentDetails, _ person: IncidentDetails.Person, of account: UUID,
        welcome: SQL, acceptance: SQL? = nil, at now: Timestamp
    ) async throws -> Bool {
        guard let key = try await keys.key(of: account) else { throw EnrolmentRoutes.erased }
        let sealed = PersonalColumn.enrolment.seal(packed: details, of: account, with: key)
        let identity = try EnrolledPeople.store(person, of: account, with: key)
        return try await database.transaction { transaction in
            let previous = try await transaction.queryOne(
                "select version, is_active from enrolment where account = \(account) for update",
                as: Int64.self, Bool.self)
            let stored = try await transaction.queryOne(
                """
                insert into enrolment as e
                  (account, version, is_active, rules, clauses_version, clauses_accepted_at, details, enrolled_at, changed_at)
                values (\(account), 1, true, \(form.rules), \(form.clausesVersion), \(now), \(sealed), \(now), \(now))
                on conflict on constraint enrolment_key do update
                set version = e.version + 1, is_active = true, rules = excluded.rules,
                  clauses_accepted_at = case when e.is_active and e.clauses_version = excluded.clauses_version
                    then e.clauses_accepted_at else excluded.clauses_accepted_at end,
                  clauses_version = excluded.clauses_version, details = excluded.details, changed_at = excluded.changed_at,
                  enrolled_at = case when e.is_active then e.enrolled_at else excluded.enrolled_at end, ended_at = null
                returning version, paused_until is not null
                """, as: Int64.self, Bool.self)
            try await transaction.execute(identity)
            if let acceptance { try await transaction.execute(acceptance) }
            let (version, isPaused) = stored ?? (1, false)
            if previous?.1 != true {
                try await beginMonitor(of: account, key, version: version, in: transaction)
                try await transaction.execute(welcome)
            }
            try await transaction.batch(contacts.naming(details, of: account))
            try await transaction.execute(WatchChange.note(of: account))
            try await feeds.publish([Self.watch(account, isWatched: !isPaused, version: version)], in: transaction)
            return previous?.1 != true
        }
    }

    /// A new enrolment, and one that goes on after a pause, begins with an empty monitor. Its revision is one that no monitor of the
    /// person has had, so that none of before is written over it.
    func beginMonitor(
        of account: UUID, _ key: SubjectKey, version: Int64, in transaction: Transaction
    ) async throws {
        // Monitors go by the database's clock.
        guard let now = try await transaction.queryOne("select clock_timestamp()", as: Timestamp.self) else {
            throw PostgresError.usage("no time")
        }
        let empty = Monitor(begunAt: now).sealed(of: account, with: key)
        try await transaction.execute(
            """
            insert into monitor (account, phase, state, last_vital_at, revision)
            values (\(account), 'normal', \(empty), \(now), \(version << 32))
            on conflict on constraint monitor_key do update
            set phase = excluded.phase, state = excluded.state, last_vital_at = excluded.last_vital_at,
              judge_by = null, revision = excluded.revision
            """)
    }

    /// Ends the enrolment: deletes its details and the monitor, and writes `farewell`. False when the person is not
    /// enrolled.
    func end(_ account: UUID, farewell: SQL, at now: Timestamp) async throws -> Bool {
        try await database.transaction { transaction in
            let version = try await transaction.queryOne(
                """
                update enrolment set version = version + 1, is_active = false, details = '', changed_at = \(now),
                  ended_at = \(now), paused_until = null
                where account = \(account) and is_active returning version
                """, as: Int64.self)
            guard let version else { return false }
            try await transaction.batch([
                "delete from monitor where account = \(account)",
                "delete from enrolled_person where account = \(account)", GapStore.end(of: account),
                ThresholdsStore.end(of: account), WatchChange.note(of: account), farewell,
            ])
            try await transaction.batch(
                ContactStore.ending(account) + SubscriptionStore.ending(account, at: now))
            try await feeds.publish([Self.watch(account, isWatched: false, version: version)], in: transaction)
            return true
        }
    }

    /// Deletes the enrolment with all that is known of it; whether there was one.
    func erase(_ account: UUID, in transaction: Transaction) async throws -> Bool {
        let version = try await transaction.queryOne(
            "delete from enrolment where account = \(account) returning version + 1", as: Int64.self)
        guard let version else { return false }
        try await feeds.publish([Self.watch(account, isWatched: false, version: version)], in: transaction)
        return true
    }

    static func watch(_ account: UUID, isWatched: Bool, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Dispatcher.watchFeed, entity: account, version: version, kind: "watch",
            encoding: watch(account, isWatched: isWatched))
    }

    private static func watch(_ account: UUID, isWatched: Bool) -> Ingestion.Watch {
        Ingestion.Watch(accountID: account, isWatched: isWatched, types: Observation.types)
    }

    /// The feed, with everybody who is watched as its snapshot.
    static func feed(_ database: Database) -> FeedDefinition {
        FeedDefinition(name: Dispatcher.watchFeed, durable: [ServiceName.ingestion.rawValue]) { page in
            let after = page.flatMap { UUID($0) } ?? UUID(high: 0, low: 0)
            let rows = try await database.query(
                """
                select account, version from enrolment
                where is_active and paused_until is null and account > \(after)
                order by account limit \(snapshotPageMax)
                """, as: UUID.self, Int64.self)
            let entities = try rows.map { account, version in
                FeedEntity(
                    entity: account, version: version, kind: "watch",
                    payload: try JSONRaw(encoding: watch(account, isWatched: true)))
            }
            return .init(
                entities: entities, next: rows.count < snapshotPageMax ? nil : rows.last?.0.description)
        }
    }
}

extension RuleSet: PostgresCodable {}
