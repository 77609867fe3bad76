import Postgres
import Primitives
import Reactor
import Service

/// The operator's alarms in the database.
struct AlarmStore: Sendable {
    /// Alarms that one message names; of the rest it has the number.
    static let namedMax = 50

    /// An alarm as it is told and listed.
    struct Row: Sendable, Encodable {
        let id: UUID
        let kind: String
        let subject: String
        let incident: UUID?
        let detail: String
        let occurrences: Int64
        let firstAt: Timestamp
        let lastAt: Timestamp
        let overAt: Timestamp?
        let acknowledgedBy: String?

        init(_ row: PostgresRow) throws(PostgresError) {
            id = try row["id"]
            kind = try row["kind"]
            subject = try row["subject"]
            incident = try row["incident"]
            detail = try row["detail"]
            occurrences = try row["occurrences"]
            firstAt = try row["first_at"]
            lastAt = try row["last_at"]
            overAt = try row["over_at"]
            acknowledgedBy = try row["acknowledged_by"]
        }

        static let columns: SQL =
            "id, kind, subject, incident, detail, occurrences, first_at, last_at, over_at, acknowledged_by"
    }

    let database: Database
    let times: AlarmTimes

    // MARK: Writing down

    /// Writes down what was rung and ended.
    func write(_ waiting: AlarmBell.Waiting, deadline: Deadline? = nil) async throws(PostgresError) {
        var statements: [SQL] = []
        if !waiting.rung.isEmpty { statements.append(raising(Array(waiting.rung.values))) }
        if !waiting.ended.isEmpty { statements.append(ending(waiting.ended)) }
        guard !statements.isEmpty else { return }
        _ = try await database.runBatch(statements, deadline: deadline)
    }

    /// An alarm of an incident that belongs to a mass event is told with that one.
    private func raising(_ alarms: [OperatorAlarm]) -> SQL {
        let none = UUID(high: 0, low: 0)
        let reopens: SQL = "a.acknowledged_at < clock_timestamp() - make_interval(secs => \(times.reopening.seconds))"
        return """
            insert into operator_alarm as a (id, kind, subject, incident, detail, occurrences, first_at, last_at, next_at,
              member_of)
            select r.id, r.kind, r.subject, nullif(r.incident, \(none)), r.detail, r.occurrences, t.now, t.now,
              case when m.alarm is null then t.now end, m.alarm
            from unnest(\(alarms.map { _ in UUID.random() }), \(alarms.map(\.key.kind.rawValue)),
              \(alarms.map(\.key.subject)), \(alarms.map { $0.incident ?? none }), \(alarms.map(\.detail)),
              \(alarms.map { Int64($0.occurrences) })) as r (id, kind, subject, incident, detail, occurrences)
            left join mass_event_incident m on m.incident = r.incident, (select clock_timestamp() as now) t
            on conflict (kind, subject) where over_at is null do update set
              occurrences = a.occurrences + excluded.occurrences, last_at = excluded.last_at, detail = excluded.detail,
              next_at = case when \(sql: reopens) and a.member_of is null then excluded.last_at else a.next_at end,
              acknowledged_by = case when \(sql: reopens) then null else a.acknowledged_by end,
              acknowledged_at = case when \(sql: reopens) then null else a.acknowledged_at end
            """
    }

    /// Who was told of it is told that it is over.
    private static let over: SQL = """
        over_at = clock_timestamp(), next_at = case when a.tellings > 0 and a.acknowledged_at is null
          and a.member_of is null then clock_timestamp() end
        """

    private func ending(_ keys: Set<OperatorAlarm.Key>) -> SQL {
        """
        update operator_alarm a set \(sql: Self.over)
        from unnest(\(keys.map(\.kind.rawValue)), \(keys.map(\.subject))) as e (kind, subject)
        where a.kind = e.kind and a.subject = e.subject and a.over_at is null
        """
    }

    /// Ends what ends by itself.
    func endDue() async throws(PostgresError) {
        let ofIncidents = OperatorAlarm.Kind.ofIncidents.map(\.rawValue)
        let quiet = OperatorAlarm.Kind.endingQuietly.map(\.rawValue)
        try await database.batch([
            """
            update operator_alarm a set \(sql: Self.over) from incident i
            where a.over_at is null and a.incident = i.id and a.kind = any(\(ofIncidents))
              and (i.state = 'closed' or i.state = 'acknowledged' and a.kind <> \(OperatorAlarm.Kind.updateNotReceived.rawValue))
            """,
            """
            update operator_alarm a set \(sql: Self.over)
            where a.over_at is null and a.kind = any(\(quiet))
              and a.last_at < clock_timestamp() - make_interval(secs => \(times.quiet.seconds))
            """,
            """
            update operator_alarm a set \(sql: Self.over)
            where a.over_at is null and a.kind = \(OperatorAlarm.Kind.massEvent.rawValue)
              and a.first_at < clock_timestamp() - make_interval(secs => \(times.massWindow.seconds))
              and not exists (select from mass_event_incident m join incident i on i.id = m.incident
                where m.alarm = a.id and i.state <> 'closed')
            """,
        ])
    }

    /// Alarms of real incidents that were noted in their history and rung nowhere: by a process that died in between.
    func forgotten() async throws(PostgresError) -> [OperatorAlarm] {
        let rows = try await database.query(
            """
            select distinct on (s.incident, s.detail) s.incident, s.detail, s.hook
            from incident_step s join incident i on i.id = s.incident
            where s.kind = 'operator-alarmed' and not i.is_exercise and s.at > clock_timestamp() - interval '1 day'
              and i.state in ('confirmed', 'handed-over') and not exists (
                select from operator_alarm a where a.incident = s.incident and a.kind = s.detail
                  and a.last_at > s.at - interval '30 seconds')
            order by s.incident, s.detail, s.at desc limit 1000
            """, as: UUID.self, String?.self, String?.self)
        return rows.compactMap { incident, alarm, hook in
            alarm.flatMap(Incident.Alarm.init).map { OperatorAlarm($0, of: incident, hook: hook) }
        }
    }

    // MARK: Acknowledging

    /// Somebody has taken notice: it is told no more. `nil` stands for all. Returns how many there were.
    func acknowledge(
        _ ids: [UUID]?, by who: String, in session: some SQLSession
    ) async throws(PostgresError) -> Int {
        let moments = OperatorAlarm.Kind.ofMoments.map(\.rawValue)
        let chosen: SQL = ids.map { "(a.id = any(\($0)) or a.member_of = any(\($0)))" } ?? "true"
        return try await session.execute(
            """
            update operator_alarm a set acknowledged_at = clock_timestamp(), acknowledged_by = \(who), next_at = null,
              over_at = case when a.kind = any(\(moments)) then clock_timestamp() end
            where a.acknowledged_at is null and a.over_at is null and \(sql: chosen)
            """)
    }

    // MARK: Reading

    /// Those that are open, or were until a day ago.
    func list() async throws(PostgresError) -> [Row] {
        try await rows(
            """
            over_at is null or over_at > clock_timestamp() - interval '1 day' order by over_at is not null, first_at desc
            limit 1000
            """)
    }

    func rows(_ condition: SQL, in session: (any SQLSession)? = nil) async throws(PostgresError) -> [Row] {
        let statement: SQL = "select \(sql: Row.columns) from operator_alarm where \(sql: condition)"
        let session = session ?? database
        return try await session.run(statement, deadline: nil).rows.map { row throws(PostgresError) in try Row(row) }
    }

    /// By kind: how many are open, and how many of them nobody has acknowledged.
    func counts() async throws(PostgresError) -> [(kind: String, open: Int, unacknowledged: Int)] {
        try await database.query(
            """
            select kind, count(*), count(*) filter (where acknowledged_at is null) from operator_alarm
            where over_at is null group by kind
            """, as: String.self, Int.self, Int.self)
    }
}
