import Postgres
import Primitives
import Security

/// The browsers that want push messages (ACC-17): at most one subscription of each session, which ends with it.
struct PushSubscriptions: Sendable {
    /// Of one account; a new one replaces the oldest.
    static let perAccountMax = 10

    let store: Store
    /// Whether push services may be on this network.
    let allowPrivate: Bool

    func exists(of session: UUID) async throws -> Bool {
        try await store.database.queryOne(
            "select exists (select from push_subscription where session = \(session))", as: Bool.self) == true
    }

    /// Stores the subscription of a session in place of its former one; a browser that somebody else had used belongs to
    /// whoever subscribes last.
    func put(_ form: PushForm, of account: UUID, session: UUID) async throws {
        let address = try form.checked(allowPrivate: allowPrivate)
        let id = UUID.random()
        let content = try store.columns.seal(
            encoding: address, .push, row: id, with: try await store.key(of: account))
        let index = store.columns.index(endpoint: address.endpoint)
        try await store.transaction { transaction in
            // One at a time for an account, so that the limit holds.
            try await transaction.execute("select from account where id = \(account) for no key update")
            try await transaction.execute(
                "delete from push_subscription where session = \(session) or endpoint_index = \(index)")
            try await transaction.execute(
                """
                delete from push_subscription where id in (
                  select id from push_subscription where account = \(account)
                  order by created_at desc, id offset \(Self.perAccountMax - 1))
                """)
            let count = try await transaction.execute(
                """
                insert into push_subscription (id, account, session, endpoint_index, content, created_at)
                select \(id), account, id, \(index), \(content), \(store.now()) from session
                where id = \(session) and account = \(account)
                """)
            guard count == 1 else {
                throw Refusal(.unauthenticated, "invalid-token", "The session has ended; please log in again.")
            }
        }
    }

    /// A session that has none changes nothing.
    func remove(of session: UUID) async throws {
        try await store.database.execute("delete from push_subscription where session = \(session)")
    }
}
