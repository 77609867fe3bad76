import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor

/// Reports to accounts what a service has erased, until each report was taken. Before it the account's key is destroyed. Several
/// replicas share the work.
struct ErasureReports: Sendable {
    private static let batchMax = 50
    private static let claim = Duration.seconds(30)
    private static let callTime = Duration.seconds(3)
    private static let interval = Duration.seconds(2)
    private static let pauseMax = Duration.seconds(60)

    let database: Database
    let accounts: any RPCCaller
    /// Of a service that has a key for each account.
    let keys: SubjectKeys?
    let clock: any WallClock
    let log: Log
    private let added = EventCounter()

    init(database: Database, accounts: any RPCCaller, keys: SubjectKeys?, clock: any WallClock, log: Log) {
        self.database = database
        self.accounts = accounts
        self.keys = keys
        self.clock = clock
        self.log = log
    }

    /// Call after the commit of an erasure.
    func wake() { added.raise() }

    var task: BackgroundTask {
        BackgroundTask("erasure-reports") {
            while !Task.isCancelled {
                let seen = added.value
                try await report(at: clock.now())
                _ = await added.wait(after: seen, deadline: .after(Self.interval))
            }
        }
    }

    /// At once; what fails is done before the report.
    func tryToDestroyKeys(of accounts: [UUID]) async {
        guard let keys, !accounts.isEmpty else { return }
        do throws(PostgresError) { try await keys.destroy(accounts) } catch {
            log.warning("keys of erased accounts are still to be destroyed", ["error": Log.text(of: error)])
        }
    }

    /// Sends the reports that are due. One that fails is tried again after a growing pause.
    func report(at now: Timestamp) async throws {
        let due = try await database.query(
            """
            update erasure set due_at = \(now + Self.claim), attempts = attempts + 1
            where id in (
              select id from erasure
              where reported_at is null and (due_at <= \(now) or due_at > \(now + Self.claim + Self.pauseMax))
              order by due_at limit \(Self.batchMax) for update skip locked)
            returning id, account, scope = 'account', items, erased_at, attempts
            """, as: UUID.self, UUID.self, Bool.self, String.self, Timestamp.self, Int32.self)
        if let keys, case let gone = due.filter(\.2).map(\.1), !gone.isEmpty { try await keys.destroy(gone) }
        for (id, _, _, items, time, attempts) in due {
            guard let error = await send(id, items, time) else {
                try await database.execute("update erasure set reported_at = \(now) where id = \(id)")
                continue
            }
            let fields: JSONObject = [
                "erasure": .string(id.description), "attempt": .integer(Int64(attempts)), "error": Log.text(of: error),
            ]
            if error.code == .unavailable || error.code == .deadline {
                log.info("an erasure is not reported yet", fields)
            } else {
                log.error("accounts does not take the report of an erasure", fields)
            }
            let pause = min(Self.pauseMax, .seconds(Int64(1) << Int64(min(max(0, attempts - 1), 6))))
            try await database.execute("update erasure set due_at = \(now + pause) where id = \(id)")
        }
    }

    private func send(_ id: UUID, _ items: String, _ time: Timestamp) async -> RPCError? {
        let decoded: [Accounts.ErasedItem]
        do { decoded = try JSONDecoder().decode([Accounts.ErasedItem].self, from: Array(items.utf8)) } catch {
            return RPCError(.internal, "what was erased is stored in another form: \(error)")
        }
        do throws(RPCError) {
            _ = try await accounts.call(
                Accounts.ReportErasure.self, .init(erasureID: id, items: decoded, erasedAt: time),
                deadline: .after(Self.callTime))
            return nil
        } catch { return error }
    }
}
