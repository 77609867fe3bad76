import Contracts
import Domain
public import JSON
public import Postgres
public import Primitives
import RPC
import Reactor
import Security
import Synchronization

/// Messages to the accounts service: written in the transaction of the change that they tell of, and handed over
/// afterwards until accounts has taken them, at least once, under an id by which a repeat is recognised. Several
/// replicas share the work.
///
/// Urgent messages and others go in two lanes, each with a task of its own.
///
/// Their content is sealed with the service's field key (NFR-05). The service's own migrations make the table.
public struct NoticeOutbox: Sendable {
    /// Messages handed over in one round.
    static let batchMax = 50
    /// How long a message is left to the replica that hands it over, also after a crash.
    static let claim = Duration.seconds(30)
    private static let callTime = Duration.seconds(3)
    /// How often messages that other replicas or failures have left are looked for.
    private static let interval = Duration.seconds(2)
    private static let countInterval = Duration.seconds(10)
    /// The pause after the first failure; doubles up to `pauseMax`.
    private static let pause = Duration.seconds(1)
    private static let pauseMax = Duration.seconds(60)

    private let table: NoticeTable
    private let column: String
    private let attemptsMax: Int
    private let completing: Completion
    private let database: Database
    private let cipher: FieldCipher
    private let keys: SubjectKeys?
    private let accounts: any RPCCaller
    private let clock: any WallClock
    private let log: Log
    private let shortened: Counter
    private let refused: Counter
    private let added = EventCounter()
    /// Of all outboxes of the service together.
    private let waiting: Gauge
    private let counted = Counted()

    private final class Counted: Sendable {
        let count = Mutex(0)
    }

    /// A month of one attempt a minute.
    public static let attemptsUsualMax = 43_200

    /// Adds to a message that is handed over what is not to rest in the outbox; `nil` for one that has become void. One that
    /// cannot be completed is tried again like one that accounts did not take.
    public typealias Completion = @Sendable (Notice) async throws -> Notice?

    /// With `keys` each message is sealed with the key of whom it is for, else with the service's.
    /// After `attemptsMax` attempts, about one a minute, a message is given up, and the log says so. `database` is another one
    /// than the service's own.
    public init<Settings>(
        _ context: ServiceContext<Settings>, table: NoticeTable = NoticeTable(), keys: SubjectKeys? = nil,
        attemptsMax: Int = attemptsUsualMax, in database: Database? = nil,
        completing: @escaping Completion = { $0 }
    ) {
        self.table = table
        self.attemptsMax = attemptsMax
        self.completing = completing
        column = Self.location(of: context.name)
        self.database = database ?? context.database
        cipher = FieldCipher(context.keys.fields)
        self.keys = keys
        accounts = context.peers[ServiceName.accounts.rawValue]
        clock = context.clock
        log = context.log
        waiting = context.metrics.gauge("trackme_notices_waiting", "Messages that accounts has not taken yet.")
        shortened = context.metrics.counter(
            "trackme_notices_shortened_total", "Messages with a value longer than accounts takes.")
        refused = context.metrics.counter(
            "trackme_notices_refused_total", "Attempts to hand over a message that accounts refused as invalid.")
    }

    /// Where contents are sealed.
    static func location(of service: String) -> String { "\(service).notice.content" }

    // MARK: Writing

    /// Adds notices to the transaction; call `wake` after its commit. One whose id is stored already stays as it is.
    public func add(_ notices: [Notice], at now: Timestamp, in transaction: Transaction) async throws {
        guard !notices.isEmpty else { return }
        let held = try await keys?.madeKeySet(of: notices.map(\.account), in: transaction)
        try await transaction.execute(try insert(notices, at: now, with: held))
    }

    /// The same as a statement, to be run with others. A value that is too long for accounts is shortened and the
    /// operator is told: services limit what people write to less than that. `held` are the keys, of an outbox that has keys: who has
    /// none was erased, and gets nothing; whose key is lost gets nothing either, and the operator is told.
    public func insert(_ notices: [Notice], at now: Timestamp, with held: SubjectKeySet? = nil) throws(JSONError) -> SQL
    {
        let sealing = notices.compactMap { notice in sealer(of: notice, with: held).map { (notice, $0) } }
        let notices = sealing.map(\.0)
        let contents = try sealing.map { notice, seal throws(JSONError) in
            seal(try JSONEncoder().encode(fitting(notice)))
        }
        return """
            insert into notice (\(sql: table.inserted)) select \(sql: table.values(dueAt: now))
            from unnest(\(notices.map(\.id)), \(notices.map(\.account)), \(notices.map(\.template)), \(contents),
              \(notices.map(\.email)), \(notices.map { $0.urgency == .urgent }))
              as n (id, account, template, content, email, is_urgent)
            on conflict on constraint notice_key do nothing
            """
    }

    /// What seals its content.
    private func sealer(of notice: Notice, with held: SubjectKeySet?) -> (([UInt8]) -> [UInt8])? {
        let place = FieldLocation(column, row: notice.id)
        guard let held else { return { cipher.seal($0, at: place) } }
        guard held.contains(notice.account) else { return nil }
        let key = reporting("a message cannot be sealed and is left out", of: notice.id, to: log) {
            try held.key(of: notice.account)
        }
        return key.map { key in { key.seal($0, at: place) } }
    }

    private func fitting(_ notice: Notice) -> [String: String] {
        let bytesMax = Accounts.Notify.valueBytesMax
        let long = notice.values.filter { $0.value.utf8.count > bytesMax }.keys.sorted()
        guard !long.isEmpty else { return notice.values }
        log.error(
            "a message was shortened",
            ["template": .string(notice.template), "values": .string(long.joined(separator: " "))])
        shortened.increment()
        return notice.values.mapValues { TextLimits.shortened($0, bytesMax: bytesMax) }
    }

    /// Call after a commit: hands over what was added.
    public func wake() { added.raise() }

    // MARK: Handing over

    /// Tasks that hand over what is added here at once, and every few seconds what other replicas or failures have
    /// left.
    public var tasks: [BackgroundTask] { [task("notices-urgent", .urgent), task("notices", .routine)] }

    private func task(_ name: String, _ urgency: Notice.Urgency) -> BackgroundTask {
        BackgroundTask(name) {
            // One of the two counts for both.
            var countDue = urgency == .routine ? Deadline.now() : .never
            while !Task.isCancelled {
                let seen = added.value
                let round = try await round(urgency, at: clock.now())
                if round.taken == Self.batchMax, !round.isAway { continue }
                if countDue.hasPassed {
                    try await count()
                    countDue = .after(Self.countInterval)
                }
                _ = await added.wait(after: seen, deadline: .after(Self.interval))
            }
        }
    }

    /// For the metrics.
    func count() async throws(PostgresError) {
        let now = try await database.queryOne("select count(*) from notice", as: Int.self) ?? 0
        let before = counted.count.withLock { count in
            defer { count = now }
            return count
        }
        waiting.add(Double(now - before))
    }

    /// Hands over due messages in both lanes, the urgent one first.
    @discardableResult
    public func deliver(at now: Timestamp) async throws -> Int {
        try await deliver(.urgent, at: now) + deliver(.routine, at: now)
    }

    /// Hands over due messages, at most `batchMax`; returns the number taken up. Failed ones are tried again after
    /// growing pauses; so are those that cannot be read, which are logged, since their key may come back.
    @discardableResult
    public func deliver(_ urgency: Notice.Urgency, at now: Timestamp) async throws -> Int {
        try await round(urgency, at: now).taken
    }

    /// `isAway`: accounts could not be reached, and after that was asked no more.
    private func round(_ urgency: Notice.Urgency, at now: Timestamp) async throws -> (taken: Int, isAway: Bool) {
        var isAway = false
        let claimEnds = Deadline.after(Self.claim)
        let claimed = try await database.query(
            """
            update notice set due_at = \(now + Self.claim), attempts = attempts + 1
            where id in (
              select id from notice where is_urgent = \(urgency == .urgent) and (\(sql: isDue(at: now)))
              order by due_at limit \(Self.batchMax) for update skip locked)
            returning \(sql: table.claimed)
            """, as: UUID.self, UUID.self, String.self, [UInt8].self, Bool.self, Int32.self)
        let held: SubjectKeySet?
        do { held = try await keys?.keySet(of: claimed.map(\.1)) } catch {
            log.info("messages wait for the key store", ["error": Log.text(of: error)])
            for (id, _, _, _, _, attempts) in claimed { try await postpone(id, Int(attempts), at: now) }
            return (claimed.count, true)
        }
        for (id, account, template, content, email, attempts) in claimed {
            // Another replica may have taken up the rest.
            guard !claimEnds.hasPassed else { break }
            guard !isAway else {
                try await postpone(id, Int(attempts), at: now)
                continue
            }
            let notice: Notice?
            do {
                let values = try open(content, of: id, with: held.map { try $0.key(of: account) })
                notice = try await completing(
                    Notice(id: id, to: account, template: template, values: values, email: email))
            } catch {
                log.error("a message cannot be read", ["id": .string(id.description), "error": Log.text(of: error)])
                try await postpone(id, Int(attempts), at: now)
                continue
            }
            if let notice, let error = await hand(over: notice) {
                isAway = error.code == .unavailable || error.code == .deadline
                if error.code == .invalidParams {
                    refused.increment()
                    log.error(
                        "accounts refuses a message",
                        [
                            "id": .string(id.description), "template": .string(template),
                            "attempt": .integer(Int64(attempts)),
                            "error": Log.text(of: error),
                        ])
                }
                guard isGivenUp(error, Int(attempts)) else {
                    try await postpone(id, Int(attempts), at: now)
                    continue
                }
                log.warning("a message was given up", ["template": .string(template), "error": Log.text(of: error)])
            }
            try await database.execute("delete from notice where id = \(id)")
        }
        return (claimed.count, isAway)
    }

    /// A message is due that was never tried, or whose time has come; also one whose time is further ahead than any
    /// pause: it was written before the clock was set back.
    private func isDue(at now: Timestamp) -> SQL {
        "due_at <= \(now) or attempts = 0 or due_at > \(now + Self.claim + Self.pauseMax)"
    }

    private func open(_ content: [UInt8], of id: UUID, with key: SubjectKey?) throws -> [String: String] {
        let place = FieldLocation(column, row: id)
        let opened = try key?.open(content, at: place) ?? cipher.open(content, at: place)
        return try JSONDecoder().decode([String: String].self, from: opened)
    }

    private func hand(over notice: Notice) async -> RPCError? {
        do throws(RPCError) {
            _ = try await accounts.call(
                Accounts.Notify.self,
                Accounts.Notify.Params(
                    id: notice.id, accountID: notice.account, template: notice.template, values: fitting(notice),
                    email: notice.email), deadline: .after(Self.callTime))
            return nil
        } catch { return error }
    }

    /// A message to an account that is gone is dropped. A refused message is tried again, each time with an error in
    /// the log: its template may come with accounts' next version.
    private func isGivenUp(_ error: RPCError, _ attempts: Int) -> Bool {
        error.code == .notFound || attempts >= attemptsMax
    }

    private func postpone(_ id: UUID, _ attempts: Int, at now: Timestamp) async throws(PostgresError) {
        let pause = min(Self.pause * (1 << min(max(0, attempts - 1), 16)), Self.pauseMax)
        try await database.execute("update notice set due_at = \(now + pause) where id = \(id)")
    }
}
