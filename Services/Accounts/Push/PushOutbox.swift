import Postgres
import Primitives
import Reactor

/// Push messages to be sent, written in the transaction of what they are about. Of each kind one waits for a browser at most:
/// it stands for all, since it tells no more than that there is something to see.
enum PushOutbox {
    static func put(
        _ kind: PushKind, message: UUID, to account: UUID, store: Store, in transaction: Transaction
    ) async throws {
        let now = store.now()
        let count = try await transaction.execute(
            """
            insert into push (subscription, kind, message, expires_at, due_at)
            select id, \(kind.rawValue), \(message), \(now + kind.life), \(now) from push_subscription
            where account = \(account) order by id for key share
            on conflict on constraint push_key do update set
              message = excluded.message, expires_at = excluded.expires_at, due_at = excluded.due_at, attempts = 0
            """)
        guard count > 0 else { return }
        let arrived = store.pushArrived
        transaction.afterCommit { arrived.raise() }
    }
}
