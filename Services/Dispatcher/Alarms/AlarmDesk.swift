import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import Synchronization

/// Tells the operator: writes down what was rung, ends what is over, and sends one message with all that is open to each place,
/// again and again until somebody has acknowledged it. Alarms that come together are one message. It has a task and connections of its
/// own; who rings never waits for it.
final class AlarmDesk: Sendable {
    let store: AlarmStore
    let bell: AlarmBell
    private let places: AlarmPlaces
    private let caller: HookCaller
    private let accounts: any RPCCaller
    private let mass: MassWatch
    private let baseURL: String
    private let clock: any WallClock
    private let log: Log
    private let messages: MetricFamily<Counter>
    private let counts = Counts()
    private final class Counts: Sendable {
        let value = Mutex<[(kind: String, open: Int, unacknowledged: Int)]>([])
    }

    /// When this process may tell again without the database.
    private let nextWithoutDatabase = Mutex(Deadline.now())
    private let nextLook = Mutex(Deadline.now())
    private var times: AlarmTimes { store.times }

    init(
        _ context: ServiceContext<DispatcherSettings>, store: AlarmStore, bell: AlarmBell, places: AlarmPlaces,
        caller: HookCaller, mass: MassWatch
    ) {
        self.store = store
        self.bell = bell
        self.places = places
        self.caller = caller
        self.mass = mass
        accounts = context.peers[ServiceName.accounts.rawValue]
        baseURL = context.baseURL
        clock = context.clock
        log = context.log
        messages = context.metrics.counters(
            "trackme_operator_messages_total", "Attempts to tell the operator of alarms.", labels: ["place", "outcome"])
        context.metrics.gauges(
            "trackme_operator_alarms_open", "Alarms that are not over.", labels: ["kind", "acknowledged"]
        ) { [counts] in
            counts.value.withLock { $0 }.flatMap { count in
                [
                    ([count.kind, "no"], Double(count.unacknowledged)),
                    ([count.kind, "yes"], Double(count.open - count.unacknowledged)),
                ]
            }
        }
    }

    /// Until cancelled. Call on a loop.
    func run() async {
        await bell.news.rounds(every: times.round, round) { error in
            log.error("the operator's alarms could not be looked after", ["error": Log.text(of: error)])
        }
    }

    /// One round.
    func round() async throws {
        let waiting = bell.take()
        do throws(PostgresError) {
            try await store.write(waiting, deadline: .after(times.write))
        } catch {
            bell.putBack(waiting)
            if !waiting.rung.isEmpty { await tellWithoutDatabase(Array(waiting.rung.values)) }
            throw error
        }
        let isTime = nextLook.withLock { next in
            guard next.hasPassed else { return false }
            next = .after(times.round)
            return true
        }
        var failure: (any Error)?
        // Whatever fails there, what is known is told.
        if isTime { do { try await look() } catch { failure = error } }
        try await gather()
        try await send()
        if let failure { throw failure }
    }

    private func look() async throws {
        try await mass.look()
        try await store.endDue()
        for alarm in try await store.forgotten() { bell.ring(alarm) }
        let now = try await store.counts()
        counts.value.withLock { $0 = now }
    }

    // MARK: Telling

    /// Makes the next message, when something is due and the last one was long enough ago.
    func gather() async throws {
        try await store.database.transaction { transaction in
            guard try await transaction.execute(self.pace) > 0 else { return }
            let over = try await self.store.rows(
                "over_at is not null and next_at <= clock_timestamp() order by first_at limit \(AlarmStore.namedMax)",
                in: transaction)
            let open: SQL = "over_at is null and acknowledged_at is null and member_of is null"
            let rows = try await self.store.rows(
                "\(sql: open) order by first_at limit \(AlarmStore.namedMax)", in: transaction)
            let summary = try await transaction.queryOne(
                """
                select count(*), coalesce(bool_or(
                  first_at <= clock_timestamp() - make_interval(secs => \(self.times.escalation.seconds))), false)
                from operator_alarm where \(sql: open)
                """, as: Int.self, Bool.self)
            try await transaction.batch([
                "update operator_alarm set next_at = null where over_at is not null and next_at is not null",
                """
                update operator_alarm set tellings = tellings + 1,
                  next_at = clock_timestamp() + make_interval(secs => \(self.times.again.seconds))
                where \(sql: open)
                """,
            ])
            let (count, isEscalated) = summary ?? (0, false)
            guard count > 0 || !over.isEmpty else { return }
            try await self.put(rows + over, open: count, isEscalated: isEscalated, in: transaction)
        }
    }

    /// Affects a row when it is time for a message.
    private var pace: SQL {
        """
        insert into operator_pace as p (is_one, told_at)
        select true, clock_timestamp()
        where exists (select from operator_alarm where next_at <= clock_timestamp()
          or next_at > clock_timestamp() + make_interval(secs => \((times.again + .seconds(60)).seconds)))
        on conflict on constraint operator_pace_key do update set told_at = excluded.told_at
        where p.told_at <= excluded.told_at - make_interval(secs => \(times.gather.seconds)) or p.told_at > excluded.told_at
        """
    }

    private func put(
        _ rows: [AlarmStore.Row], open: Int, isEscalated: Bool, in transaction: Transaction
    ) async throws {
        let message = message(rows.map(AlarmMessage.Alarm.init), open: open, isEscalated: isEscalated)
        let all = places.all(isEscalated: isEscalated)
        if all.isEmpty {
            log.error("there are alarms, and nobody to tell of them", ["alarms": .string(message.list)])
        }
        let text = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        for place in all {
            try await transaction.execute(
                """
                insert into operator_message as m (place, id, content, due_at)
                values (\(place.name), \(message.id), \(text), clock_timestamp())
                on conflict on constraint operator_message_key do update set id = excluded.id,
                  content = excluded.content, is_sent = false, attempts = 0, due_at = excluded.due_at
                """)
        }
    }

    private func message(_ alarms: [AlarmMessage.Alarm], open: Int, isEscalated: Bool) -> AlarmMessage {
        AlarmMessage(
            id: .random(), sent: clock.now(), level: isEscalated ? 2 : 1, open: open, alarms: alarms,
            acknowledgementURL: "\(baseURL)/dispatcher/v1/operator-alarms/acknowledgement")
    }

    // MARK: Sending

    /// Sends the messages that are due, each place by itself.
    func send() async throws {
        let claimed = try await store.database.query(
            """
            update operator_message set attempts = attempts + 1,
              due_at = clock_timestamp() + make_interval(secs => \(times.claim.seconds))
            where place in (
              select place from operator_message where not is_sent and (due_at <= clock_timestamp()
                or due_at > clock_timestamp() + interval '10 minutes')
              for update skip locked)
            returning place, id, content, attempts
            """, as: String.self, UUID.self, String.self, Int32.self)
        guard !claimed.isEmpty else { return }
        let outcomes = await withTaskGroup(of: (String, UUID, Int32, Bool).self) { group in
            for (place, id, content, attempts) in claimed {
                group.addTask { [self] in (place, id, attempts, await tell(place, content)) }
            }
            var outcomes: [(String, UUID, Int32, Bool)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        for (place, id, attempts, isSent) in outcomes {
            let pause = times.pauses[min(max(0, Int(attempts) - 1), times.pauses.count - 1)]
            try await store.database.execute(
                """
                update operator_message set is_sent = \(isSent),
                  due_at = clock_timestamp() + make_interval(secs => \(pause.seconds))
                where place = \(place) and id = \(id)
                """)
        }
    }

    /// True when it was taken, or there is nobody any more to tell.
    private func tell(_ name: String, _ content: String) async -> Bool {
        guard let place = places[name] else { return true }
        do throws(JSONError) {
            return await tell(place, try JSONDecoder().decode(AlarmMessage.self, from: Array(content.utf8)), content)
        } catch {
            log.error("a message to the operator cannot be read", ["error": .string(error.description)])
            return true
        }
    }

    private func tell(_ place: AlarmPlaces.Place, _ message: AlarmMessage, _ content: String) async -> Bool {
        let outcome: String
        switch place {
        case .hook(let name): outcome = await call(name, message.id, content)
        case .mail(let address):
            do throws(RPCError) {
                _ = try await accounts.call(
                    Accounts.Mail.self,
                    .init(
                        id: .named(Array(place.name.utf8), in: message.id), address: address,
                        language: places.settings.language ?? .italian, template: "operator-alarms",
                        values: [
                            "count": String(message.open),
                            "list": String(decoding: message.list.utf8.prefix(4000), as: UTF8.self),
                        ]), deadline: .after(times.attempt))
                outcome = "sent"
            } catch { outcome = error.code.rawValue }
        }
        let kind =
            switch place {
            case .hook(let name): name
            case .mail: "mail"
            }
        messages[kind, outcome].increment()
        guard outcome != "sent" else { return true }
        log.warning(
            "the operator was not told of alarms", ["place": .string(kind), "reason": .string(outcome)])
        return false
    }

    private func call(_ name: String, _ id: UUID, _ content: String) async -> String {
        guard let hook = places.hooks[name] else { return "not-configured" }
        do throws(HookCaller.Failure) {
            try await caller.call(
                hook.hook, id: id.description, body: Array(content.utf8), deadline: .after(times.attempt))
            return "sent"
        } catch { return error.description }
    }

    /// The database is away, which the operator has to hear of most: without repeats that are numbered, and without escalation.
    private func tellWithoutDatabase(_ alarms: [OperatorAlarm]) async {
        let isTime = nextWithoutDatabase.withLock { next in
            guard next.hasPassed else { return false }
            next = .after(times.again)
            return true
        }
        guard isTime else { return }
        let named = alarms.prefix(AlarmStore.namedMax).map { AlarmMessage.Alarm($0) }
        let message = message(named, open: alarms.count, isEscalated: false)
        let content: String
        do throws(JSONError) {
            content = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        } catch {
            return log.error("a message to the operator could not be made", ["error": .string(error.description)])
        }
        let isTold = await withTaskGroup(of: Bool.self) { group in
            for place in places.all(isEscalated: false) {
                group.addTask { [self] in await tell(place, message, content) }
            }
            var isTold = false
            for await told in group { isTold = told || isTold }
            return isTold
        }
        // Nobody has heard of it.
        if !isTold { nextWithoutDatabase.withLock { $0 = .after(times.gather) } }
    }
}
