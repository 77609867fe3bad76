import Contracts
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Who the enrolled are, kept for ambulance services (SOS-06b): told by accounts at the enrolment, and again when something
/// of the person has changed, so that accounts may be away when it is needed.
struct EnrolledPeople: Sendable {
    static let interval = Duration.seconds(2)
    private static let batchMax = 20
    private static let callTime = Duration.seconds(3)
    /// For so long a person is left to the replica that asks.
    private static let claim = Duration.seconds(30)
    private static let pauses = BackOff(base: .seconds(5), max: .seconds(600))

    let database: Database
    let keys: SubjectKeys
    let accounts: any RPCCaller
    let log: Log

    /// Writes who somebody is, in the transaction of the enrolment.
    static func store(_ person: IncidentDetails.Person, of account: UUID, with key: SubjectKey) throws -> SQL {
        let sealed = PersonalColumn.identity.seal(packed: person, of: account, with: key)
        return """
            insert into enrolled_person as p (account, identity, told_at) values (\(account), \(sealed), clock_timestamp())
            on conflict on constraint enrolled_person_key do update
            set identity = excluded.identity, told_at = excluded.told_at, due_at = null, attempts = 0
            """
    }

    /// Accounts is asked again about these people, of those who are enrolled.
    static func ask(about accounts: Set<UUID>) -> SQL { ask("e.account = any(\(accounts.sorted()))") }

    /// About everybody.
    static let askAboutAll: SQL = ask("true")

    private static func ask(_ condition: SQL) -> SQL {
        """
        insert into enrolled_person as p (account, due_at)
        select e.account, clock_timestamp() from enrolment e where e.is_active and \(sql: condition)
        order by e.account
        on conflict on constraint enrolled_person_key do update set due_at = excluded.due_at, attempts = 0
        """
    }

    /// One round: asks accounts about those who are due, some at a time. Whoever is enrolled and was never asked about is due, too.
    func look() async throws {
        try await database.execute(
            """
            insert into enrolled_person (account, due_at)
            select e.account, clock_timestamp() from enrolment e
            where e.is_active and not exists (select from enrolled_person p where p.account = e.account)
            order by e.account limit 1000
            on conflict on constraint enrolled_person_key do nothing
            """)
        while !Task.isCancelled {
            let due = try await claim()
            for (account, attempts) in due {
                guard try await ask(account, attempts) else { return }
            }
            guard due.count == Self.batchMax else { return }
        }
    }

    /// A time that lies further ahead than one was ever set was set before the clock was set back.
    private func claim() async throws(PostgresError) -> [(UUID, Int)] {
        try await database.query(
            """
            update enrolled_person set attempts = attempts + 1,
              due_at = clock_timestamp() + make_interval(secs => \(Self.claim.seconds))
            where account in (
              select account from enrolled_person
              where due_at <= clock_timestamp()
                or due_at > clock_timestamp() + make_interval(secs => \(Self.pauses.max.seconds))
              order by due_at limit \(Int64(Self.batchMax)) for update skip locked)
            returning account, attempts
            """, as: UUID.self, Int.self)
    }

    /// False when accounts is away: the others wait, too.
    private func ask(_ account: UUID, _ attempts: Int) async throws -> Bool {
        let asked: Accounts.Identity.Result
        do throws(RPCError) {
            asked = try await accounts.call(
                Accounts.Identity.self, .init(accountID: account, purpose: "enrolment"),
                deadline: .after(Self.callTime))
        } catch {
            // Somebody who is being erased.
            let pause = error.code == .notFound ? Self.pauses.max : Self.pauses.delay(afterFailures: attempts)
            try await database.execute(
                """
                update enrolled_person set due_at = clock_timestamp() + make_interval(secs => \(pause.seconds))
                where account = \(account) and due_at is not null
                """)
            return error.code == .notFound
        }
        guard let key = try await keys.existingKey(of: account) else { return true }
        let sealed = PersonalColumn.identity.seal(packed: IncidentDetails.Person(asked), of: account, with: key)
        // Asked again meanwhile, it stays due.
        try await database.batch([
            """
            update enrolled_person set identity = \(sealed), told_at = clock_timestamp(), due_at = null, attempts = 0
            where account = \(account) and attempts = \(attempts)
            """,
            WatchChange.note(of: account),
        ])
        return true
    }
}

/// Follows `accounts.changes`, of which this service is told nothing but whom an event is about.
struct AccountChanges: FeedHandler {
    func apply(_ records: [FeedRecord]) -> FeedEffect {
        let accounts = Set(records.filter { $0.kind == Accounts.accountChangeKind }.map(\.entity))
        return accounts.isEmpty ? .none : .statements([EnrolledPeople.ask(about: accounts)])
    }

    func beginSnapshot() -> FeedEffect { .none }
    func apply(snapshot entities: [FeedEntity]) -> FeedEffect { .none }

    /// What was missed may have been about anybody.
    func endSnapshot() -> FeedEffect { .statements([EnrolledPeople.askAboutAll]) }
}
