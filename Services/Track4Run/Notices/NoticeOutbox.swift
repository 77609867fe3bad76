import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Messages on their way to accounts: written with the change that they tell of, handed over afterwards until
/// accounts has taken them, at least once, with an id that makes a repeat recognisable.
struct NoticeOutbox: Sendable {
    private static let batchMax = 100
    /// Somebody who took messages to hand over and then crashed keeps them for so long.
    private static let claim = Duration.seconds(60)
    private static let pauseMax = Duration.seconds(60)

    let database: Database
    let columns: PersonalColumns
    let log: Log
    private let added = Signal()

    init(database: Database, columns: PersonalColumns, log: Log) {
        self.database = database
        self.columns = columns
        self.log = log
    }

    /// Adds to the transaction; `wake` when it is committed.
    func add(_ notices: [Notice], at now: Timestamp, in transaction: Transaction) async throws {
        guard !notices.isEmpty else { return }
        let contents = try notices.map { notice throws(JSONError) in
            try columns.seal(encoding: notice.values, .notice, row: [notice.id])
        }
        try await transaction.execute(
            """
            insert into notice (id, account_id, template, content, due_at)
            select id, account_id, template, content, \(now)
            from unnest(\(notices.map(\.id)), \(notices.map(\.account)), \(notices.map(\.template)), \(contents))
              as n (id, account_id, template, content)
            on conflict on constraint notice_key do nothing
            """)
    }

    /// Something was added: hand it over now.
    func wake() { added.raise() }

    /// Hands over what is due, until the task is cancelled. Call on a loop.
    func run(to accounts: any RPCCaller, clock: any WallClock) async throws {
        while !Task.isCancelled {
            let seen = added.value
            if try await deliver(to: accounts, at: clock.now()) == 0 {
                _ = await added.wait(after: seen, deadline: .after(.seconds(1)))
            }
        }
    }

    /// Hands over what is due; the number of messages tried. What fails is tried again at longer and longer intervals.
    @discardableResult
    func deliver(to accounts: any RPCCaller, at now: Timestamp) async throws -> Int {
        let claimed = try await database.query(
            """
            update notice set due_at = \(now + Self.claim), attempts = attempts + 1
            where id in (select id from notice where due_at <= \(now) order by due_at limit \(Self.batchMax)
              for update skip locked)
            returning id, account_id, template, content, attempts
            """, as: UUID.self, UUID.self, String.self, [UInt8].self, Int32.self)
        for (id, account, template, content, attempts) in claimed {
            let pause = min(Duration.seconds(1) * (1 << min(Int(attempts), 6)), Self.pauseMax)
            let readable = reporting("a message cannot be read", of: id, to: log) {
                try columns.open(content, as: [String: String].self, .notice, row: [id])
            }
            guard let values = readable else {
                try await database.execute("update notice set due_at = \(now + pause) where id = \(id)")
                continue
            }
            do throws(RPCError) {
                _ = try await accounts.call(
                    Accounts.Notify.self,
                    .init(id: id, accountID: account, template: template, values: values, email: true))
            } catch {
                // Somebody who has left is told nothing more.
                guard error.code == .notFound else {
                    try await database.execute("update notice set due_at = \(now + pause) where id = \(id)")
                    continue
                }
            }
            try await database.execute("delete from notice where id = \(id)")
        }
        return claimed.count
    }
}
