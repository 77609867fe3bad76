import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// Messages on their way: written with what they tell of, sent afterwards, at least once, under their id.
struct NoticeStore: Sendable {
    static let batchMax = 50
    static let callTime = Duration.seconds(3)
    static let pauseMax = Duration.seconds(300)
    /// Then it is given up, a day or so later.
    static let attemptsMax = 300

    let database: Database
    let columns: SealedColumns
    let accounts: any RPCCaller
    let log: Log
    let news = Signal()

    func insert(_ notice: Notice) throws(JSONError) -> SQL {
        let content = try columns.seal(notice.values, .notice, row: notice.id)
        return """
            insert into notice (id, account, template, content, email, due_at)
            values (\(notice.id), \(notice.account), \(notice.template), \(content), \(notice.email), \(notice.at))
            on conflict on constraint notice_key do nothing
            """
    }

    /// Sends what is due; the answer is how many went out. Several replicas may do so at once: an id is one message.
    func send(at now: Timestamp) async throws -> Int {
        let rows = try await database.query(
            """
            select id, account, template, content, email, attempts from notice where due_at <= \(now)
            order by due_at limit \(Self.batchMax)
            """, as: UUID.self, UUID.self, String.self, [UInt8].self, Bool.self, Int32.self)
        var sent = 0
        for (id, account, template, content, email, attempts) in rows {
            let values: [String: String]
            do { values = try columns.open(content, .notice, row: id) } catch {
                // The key may come back; the others do not wait for it.
                log.error("a notice cannot be read", ["id": .string(id.description), "error": Log.text(of: error)])
                try await postpone(id, attempts, at: now)
                continue
            }
            switch await call(.init(id: id, accountID: account, template: template, values: values, email: email)) {
            case nil: sent += 1
            case let error? where Self.mayPass(error) && Int(attempts) < Self.attemptsMax:
                try await postpone(id, attempts, at: now)
                continue
            // The account is gone, or there is no such message: nothing is left to be done for it.
            case let error?:
                log.warning("a notice was given up", ["template": .string(template), "error": Log.text(of: error)])
            }
            try await database.execute("delete from notice where id = \(id)")
        }
        return sent
    }

    private func postpone(_ id: UUID, _ attempts: Int32, at now: Timestamp) async throws(PostgresError) {
        let pause = min(Self.pauseMax, .seconds(1) * (1 << min(attempts, 10)))
        try await database.execute(
            "update notice set attempts = attempts + 1, due_at = \(now + pause) where id = \(id)")
    }

    private func call(_ params: Accounts.Notify.Params) async -> RPCError? {
        do throws(RPCError) {
            _ = try await accounts.call(Accounts.Notify.self, params, deadline: .after(Self.callTime))
            return nil
        } catch { return error }
    }

    private static func mayPass(_ error: RPCError) -> Bool {
        switch error.code {
        case .notFound, .invalidParams, .gone: false
        default: true
        }
    }
}
