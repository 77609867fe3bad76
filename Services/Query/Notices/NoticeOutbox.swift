import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Messages on their way to the accounts service: written with the change they tell about, handed over at least once.
struct NoticeOutbox: Sendable {
    let database: Database
    let cipher: FieldCipher
    let log: Log
    private let added = Signal()

    private static let batchMax = 50
    /// While one replica hands a message over, the others leave it alone.
    private static let claim = Duration.seconds(30)
    private static let interval = Duration.seconds(2)
    private static let pauseMax = Duration.seconds(60)

    init(database: Database, cipher: FieldCipher, log: Log) {
        self.database = database
        self.cipher = cipher
        self.log = log
    }

    func add(_ notices: [Notice], at now: Timestamp, in transaction: Transaction) async throws {
        for notice in notices {
            let content = cipher.seal(try JSONEncoder().encode(notice.values), at: Self.location(notice.id))
            try await transaction.execute(
                """
                insert into notice (id, account_id, template, content, due_at)
                values (\(notice.id), \(notice.accountID), \(notice.template), \(content), \(now))
                """)
        }
    }

    /// Something was added: hand it over now.
    func wake() { added.raise() }

    /// Hands over what is added here at once, and what other replicas or failures have left every few seconds.
    func task(to accounts: any RPCCaller, clock: any WallClock) -> BackgroundTask {
        BackgroundTask("notices") {
            while !Task.isCancelled {
                let seen = added.value
                while try await deliver(to: accounts, at: clock.now()) == Self.batchMax { try Task.checkCancellation() }
                _ = await added.wait(after: seen, deadline: .after(Self.interval))
            }
        }
    }

    /// Hands over what is due; the number handed over. What fails is tried again later, at longer and longer intervals;
    /// what cannot be read, too, and is in the log.
    func deliver(to accounts: any RPCCaller, at now: Timestamp) async throws -> Int {
        let claimed = try await database.query(
            """
            update notice set due_at = \(now + Self.claim), attempts = attempts + 1
            where id in (select id from notice where due_at <= \(now) order by due_at limit \(Self.batchMax)
              for update skip locked)
            returning id, account_id, template, content, attempts
            """, as: UUID.self, UUID.self, String.self, [UInt8].self, Int32.self)
        var count = 0
        for (id, accountID, template, content, attempts) in claimed {
            do {
                let values = try JSONDecoder().decode(
                    [String: String].self, from: try cipher.open(content, at: Self.location(id)))
                _ = try await accounts.call(
                    Accounts.Notify.self,
                    .init(id: id, accountID: accountID, template: template, values: values, email: true))
                count += 1
            } catch {
                // Somebody who has left is told nothing more.
                guard let failure = error as? RPCError, failure.code == .notFound else {
                    if !(error is RPCError) {
                        log.error(
                            "a message cannot be read",
                            ["notice": .string(id.description), "error": Log.text(of: error)])
                    }
                    let pause = min(Duration.seconds(1) * (1 << min(Int(attempts), 6)), Self.pauseMax)
                    try await database.execute("update notice set due_at = \(now + pause) where id = \(id)")
                    continue
                }
            }
            try await database.execute("delete from notice where id = \(id)")
        }
        return count
    }

    private static func location(_ id: UUID) -> FieldLocation { FieldLocation("query.notice.content", row: id) }
}
