import Domain
import Postgres
import Primitives
import Security
import Service

/// Who has been named as a contact, and whether they want to be one.
struct ContactStore: Sendable {
    enum State: String, Sendable, Codable, PostgresCodable {
        /// Not answered yet.
        case asked
        case confirmed, declined
    }

    /// What a link in a message leads to.
    struct Link: Sendable {
        let account: UUID
        let contact: [UInt8]
        /// `nil`: the question whether somebody wants to be a contact.
        let incident: UUID?
        let until: Timestamp
        /// Of the contact; `nil` when the person has taken it away.
        let state: State?
    }

    enum Answering: Sendable { case done, expired, unknown }

    let database: Database
    let keys: ContactKeys
    let times: ContactTimes

    // MARK: Naming

    /// Statements for the transaction that stores an enrolment: the contacts are those of `details` from now on, and new ones
    /// are asked. Who has declined stays known while the account is there, and is not asked again.
    func naming(_ details: EnrolmentDetails, of account: UUID) -> [SQL] {
        let contacts = details.contacts.map { keys.key(of: $0, of: account) }
        return [
            Self.forgetting(account, but: contacts),
            """
            with new as (
              insert into contact (account, contact, state, named_at)
              select \(account), c.contact, 'asked', clock_timestamp() from unnest(\(contacts)) as c (contact)
              on conflict on constraint contact_key do nothing returning contact)
            insert into contact_event (id, account, kind, created_at, due_at)
            select \(UUID.random()), \(account), 'asked', clock_timestamp(), clock_timestamp()
            where exists (select from new)
            """,
        ]
    }

    /// For the transaction that ends an enrolment.
    static func ending(_ account: UUID) -> [SQL] {
        [
            forgetting(account, but: []), "delete from contact_event where account = \(account)",
            "delete from contact_token where account = \(account) and incident is null",
        ]
    }

    private static func forgetting(_ account: UUID, but contacts: [[UInt8]]) -> SQL {
        "delete from contact where account = \(account) and state <> 'declined' and contact <> all(\(contacts))"
    }

    /// Of the contacts of one person.
    func states(of account: UUID, in session: some SQLSession) async throws(PostgresError) -> [[UInt8]: State] {
        let rows = try await session.query(
            "select contact, state from contact where account = \(account)", as: [UInt8].self, State.self)
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Asking

    /// Whether this number or address, or what `place` is of, may be asked once more in `window`; counts it if so.
    func mayAsk(
        _ place: [UInt8], max: Int, within window: Duration, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        let row = try await transaction.queryOne(
            """
            insert into contact_asking as a (place, asked_at) values (\(place), array[clock_timestamp()])
            on conflict on constraint contact_asking_key do update
            set asked_at = (
              select coalesce(array_agg(t), '{}') || clock_timestamp() from unnest(a.asked_at) as t
              where t > clock_timestamp() - make_interval(secs => \(window.seconds)) and t <= clock_timestamp())
            where (select count(*) from unnest(a.asked_at) as t
              where t > clock_timestamp() - make_interval(secs => \(window.seconds)) and t <= clock_timestamp()) < \(Int64(max))
            returning true
            """, as: Bool.self)
        return row == true
    }

    // MARK: Links

    /// A statement that stores a link.
    static func linking(
        _ token: OneTimeToken, _ account: UUID, _ contact: [UInt8], incident: UUID?, for time: Duration
    ) -> SQL {
        """
        insert into contact_token (token_hash, account, contact, incident, until)
        values (\(token.storedHash), \(account), \(contact), \(incident),
          clock_timestamp() + make_interval(secs => \(time.seconds)))
        """
    }

    /// `nil` for a token that there is not, or no longer.
    func link(_ token: OneTimeToken) async throws(PostgresError) -> Link? {
        let row = try await database.queryOne(
            """
            select t.account, t.contact, t.incident, t.until, c.state from contact_token t
            left join contact c on c.account = t.account and c.contact = t.contact
            where t.token_hash = \(token.storedHash) and t.until > clock_timestamp()
            """, as: UUID.self, [UInt8].self, UUID?.self, Timestamp.self, State?.self)
        guard let row else { return nil }
        return Link(account: row.0, contact: row.1, incident: row.2, until: row.3, state: row.4)
    }

    /// Answers the question: yes once, within `ContactTimes.question`; no at any time, and from then on for good.
    func answer(_ answer: State, with token: OneTimeToken) async throws -> Answering {
        let yesBefore = (times.refusal - times.question).seconds
        let window: SQL =
            answer == .declined
            ? "true"
            : "(c.state = 'confirmed' or c.state = 'asked' and t.until > clock_timestamp() + make_interval(secs => \(yesBefore)))"
        let counts = try await database.query(
            """
            with t as (
              select account, contact, until from contact_token
              where token_hash = \(token.storedHash) and incident is null and until > clock_timestamp()),
            changed as (
              update contact c set state = \(answer),
                answered_at = case when c.state = \(answer) then c.answered_at else clock_timestamp() end
              from t where c.account = t.account and c.contact = t.contact and \(sql: window) returning c.account)
            select (select count(*) from t), (select count(*) from changed)
            """, as: Int.self, Int.self)
        guard let (found, changed) = counts.first, found > 0 else { return .unknown }
        return changed > 0 ? .done : .expired
    }

    // MARK: Erasing

    /// For the transaction that erases somebody: nobody is told anything any more, also of an emergency that is brought to its end.
    static func erasing(_ account: UUID) -> [SQL] {
        [
            "delete from contact_message where account = \(account)",
            "delete from contact_event where account = \(account)",
            "delete from contact_token where account = \(account)", "delete from contact where account = \(account)",
            """
            insert into contact_telling as t (incident, revision, told, ended_at)
            select id, revision, '{}', clock_timestamp() from incident where account = \(account) and state <> 'closed'
            on conflict on constraint contact_telling_key do update set ended_at = clock_timestamp()
            """,
        ]
    }

    /// What is over. Links and questions of old are useless, and what was to be sent is sent no more.
    static let tidying: [SQL] = [
        "delete from contact_token where until < clock_timestamp()",
        """
        update contact_message set content = null, changed_at = clock_timestamp(),
          state = case when state = 'waiting' then 'expired' else state end
        where content is not null and expires_at < clock_timestamp()
        """,
        """
        delete from contact_asking
        where not exists (select from unnest(asked_at) t where t > clock_timestamp() - interval '30 days')
        """,
    ]
}
