import JSON
import Postgres
import Primitives
import Security
import Service

/// The queue of messages to contacts, in the database. Nothing here touches an incident's row.
struct ContactQueue: Sendable {
    /// Messages that one lane takes up at once.
    static let batchMax = 64

    /// Messages of these channels, sent by a worker of its own: a provider that hangs holds up its lane and no other.
    struct Lane: Sendable {
        let name: String
        let channels: [ContactMessage.Channel]
        let isUrgent: Bool

        static let all = [
            Lane(name: "contacts-sms", channels: [.sms], isUrgent: true),
            Lane(name: "contacts-call", channels: [.call], isUrgent: true),
            Lane(name: "contacts-email", channels: [.email], isUrgent: true),
            Lane(name: "contacts-routine", channels: ContactMessage.Channel.allCases, isUrgent: false),
        ]
    }

    /// A message that this process may send now.
    struct Claimed: Sendable {
        let id: UUID
        let account: UUID
        let channel: ContactMessage.Channel
        let kind: ContactMessage.Kind
        /// This one included.
        let attempt: Int
        /// How often it did not arrive after a hook had taken it.
        let failures: Int
        let sealed: [UInt8]
        let expiresAt: Timestamp
        /// Who had the one before.
        let hook: String?
    }

    /// What became of an attempt.
    struct Outcome: Sendable {
        let id: UUID
        let attempt: Int
        let state: ContactMessage.State
        /// The hook that was called.
        let hook: String?
        let fault: String?
    }

    let database: Database
    let cipher: FieldCipher
    let times: ContactTimes

    // MARK: In

    /// Statements that add messages. Those that wait for the same contact, incident and channel are no longer sent: what comes
    /// later says all that is of use. Ids that are there already stay as they are.
    func insert(_ messages: [ContactMessage]) throws(JSONError) -> [SQL] {
        guard !messages.isEmpty else { return [] }
        let none = UUID(high: 0, low: 0)
        var contents: [[UInt8]] = []
        for message in messages {
            contents.append(try ContactMessage.seal(message.content, of: message.id, cipher))
        }
        let incidents = messages.map { $0.incident ?? none }
        let (urgent, routine) = (times.urgentMax.seconds, times.routineMax.seconds)
        return [
            """
            update contact_message m set state = 'superseded', content = null, changed_at = clock_timestamp()
            from unnest(\(incidents), \(messages.map(\.contact)), \(messages.map(\.channel.rawValue)),
              \(messages.map(\.kind.rawValue))) as n (incident, contact, channel, kind)
            where m.incident = n.incident and m.contact = n.contact and m.state = 'waiting'
              and (m.channel = n.channel or n.kind = 'over' and m.channel = 'call')
            """,
            """
            insert into contact_message (id, account, contact, incident, channel, kind, is_urgent, state, content,
              created_at, due_at, expires_at, changed_at)
            select n.id, n.account, n.contact, nullif(n.incident, \(none)), n.channel, n.kind, n.is_urgent, 'waiting',
              n.content, t.now, t.now,
              t.now + make_interval(secs => case when n.is_urgent then \(urgent) else \(routine) end), t.now
            from unnest(\(messages.map(\.id)), \(messages.map(\.account)), \(messages.map(\.contact)), \(incidents),
              \(messages.map(\.channel.rawValue)), \(messages.map(\.kind.rawValue)),
              \(messages.map(\.kind.isUrgent)), \(contents))
              as n (id, account, contact, incident, channel, kind, is_urgent, content),
              (select clock_timestamp() as now) t
            on conflict on constraint contact_message_key do nothing
            """,
        ]
    }

    // MARK: Out

    /// Takes up what is due in a lane, those that wait longest first. A time that is further ahead than any pause was set before
    /// the clock was set back.
    func claim(_ lane: Lane) async throws(PostgresError) -> [Claimed] {
        let ahead = (max(times.claim, times.pauses.last ?? .zero) + .seconds(60)).seconds
        return try await database.query(
            """
            update contact_message set attempts = attempts + 1,
              due_at = clock_timestamp() + make_interval(secs => \(times.claim.seconds))
            where id in (
              select id from contact_message
              where state = 'waiting' and is_urgent = \(lane.isUrgent) and channel = any(\(lane.channels.map(\.rawValue)))
                and (due_at <= clock_timestamp() or due_at > clock_timestamp() + make_interval(secs => \(ahead)))
              order by due_at limit \(Self.batchMax) for update skip locked)
            returning id, account, channel, kind, attempts, failures, content, expires_at, hook
            """
        ) { row throws(PostgresError) in
            let (attempts, failures): (Int32, Int32) = (try row["attempts"], try row["failures"])
            return Claimed(
                id: try row["id"], account: try row["account"], channel: try row["channel"], kind: try row["kind"],
                attempt: Int(attempts), failures: Int(failures), sealed: try row["content"],
                expiresAt: try row["expires_at"],
                hook: try row["hook"])
        }
    }

    /// Writes what became of the attempts, of a message that is still waiting for the outcome of this one. `noting` are the entries
    /// of the audit trail about those that were handed over.
    func settle(_ outcomes: [Outcome], _ audit: AuditTrail) async throws {
        guard !outcomes.isEmpty else { return }
        let pauses = outcomes.map { times.pause(after: $0.attempt).seconds }
        try await database.execute(
            """
            with settled as (
              update contact_message m set
                state = case when o.state = 'waiting' and m.expires_at <= clock_timestamp() then 'expired' else o.state end,
                content = case when o.state in ('waiting', 'handed-over') and m.expires_at > clock_timestamp()
                  then m.content end,
                hook = coalesce(nullif(o.hook, ''), m.hook), fault = nullif(o.fault, ''),
                due_at = clock_timestamp() + make_interval(secs => o.pause), changed_at = clock_timestamp()
              from unnest(\(outcomes.map(\.id)), \(outcomes.map { Int32($0.attempt) }),
                \(outcomes.map(\.state.rawValue)), \(outcomes.map { $0.hook ?? "" }),
                \(outcomes.map { $0.fault ?? "" }), \(pauses)) as o (id, attempt, state, hook, fault, pause)
              where m.id = o.id and m.state = 'waiting' and m.attempts = o.attempt
              returning m.account, m.state, coalesce(m.incident::text, m.kind) as purpose)
            \(sql: audit.noting(
                each: "settled where state = 'handed-over'", action: "'dispatcher.contact_told'", by: "contact",
                purpose: "'contact ' || purpose", of: "audit_pseudonym(account)", onBehalfOf: "null::uuid"))
            """)
    }

    // MARK: Delivery

    /// What a hook says became of a message that it was sent. That it arrived counts whenever it is said; that it did not, once for
    /// each attempt: then it is sent anew, by the next hook. False when that hook was not sent the message last.
    func report(
        _ state: ContactMessage.State, of message: UUID, attempt: Int, by hook: String
    ) async throws(PostgresError) -> Bool {
        let isFailure = state == .failed
        let row = try await database.queryOne(
            """
            with found as (select from contact_message where id = \(message) and hook = \(hook)),
            changed as (
              update contact_message set
                state = case when \(isFailure) and content is not null and expires_at > clock_timestamp()
                  then 'waiting' else \(state) end,
                content = case when \(isFailure) and expires_at > clock_timestamp() then content end,
                failures = failures + \(isFailure ? Int32(1) : 0),
                fault = case when \(isFailure) then 'not-delivered' else fault end,
                due_at = clock_timestamp(), changed_at = clock_timestamp()
              where id = \(message) and hook = \(hook) and attempts >= \(Int32(attempt))
                and (not \(isFailure) and state in ('waiting', 'handed-over')
                  or \(isFailure) and state = 'handed-over' and attempts = \(Int32(attempt))))
            select exists (select from found)
            """, as: Bool.self)
        return row == true
    }
}
