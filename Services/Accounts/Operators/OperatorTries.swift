import Postgres
import Primitives

/// Keeps who guesses from an operator's log-in. Tries are counted by the name that is typed, whether or not there is such an operator,
/// so that being refused tells nothing (ACC-07b); in the table of people's log-ins, which forgets them, under indexes of their own.
/// A try is counted before it is checked, so that concurrent tries gain nothing.
struct OperatorTries: Sendable {
    /// Under one name within `window`; then none is taken, whoever it is. A right log-in begins anew.
    static let countMax = 10
    static let window = LoginAttempts.nameWindow

    let store: Store

    /// Counts a try. Throws `too-many-tries` when there were too many; then it is not counted.
    func begin(_ name: String) async throws {
        let (index, now) = (store.columns.index(operatorName: name), store.now())
        let isOver: SQL = "a.since <= \(now - Self.window)"
        let tries = try await store.database.queryOne(
            """
            insert into login_name_attempt as a (login_index, tries, since) values (\(index), 1, \(now))
            on conflict on constraint login_name_attempt_key do update set
              tries = case when \(sql: isOver) then 1 else a.tries + 1 end,
              since = case when \(sql: isOver) then \(now) else a.since end
            where \(sql: isOver) or a.tries < \(Self.countMax)
            returning tries
            """, as: Int32.self)
        guard tries == nil else { return }
        let since = try await store.database.queryOne(
            "select since from login_name_attempt where login_index = \(index)", as: Timestamp.self)
        throw Refusal(
            .tooManyTries, "too-many-tries", "Too many wrong log-ins under this name; please wait.",
            retryAfter: max(.seconds(1), (since ?? now) + Self.window - now))
    }

    /// Takes back a try that was not checked after all.
    func takeBack(_ name: String) async throws {
        let index = store.columns.index(operatorName: name)
        try await store.database.batch([
            "delete from login_name_attempt where login_index = \(index) and tries = 1",
            "update login_name_attempt set tries = tries - 1 where login_index = \(index) and tries > 1",
        ])
    }

    /// After a right log-in, or with a new one.
    func forget(_ name: String, in transaction: Transaction) async throws {
        try await transaction.execute(
            "delete from login_name_attempt where login_index = \(store.columns.index(operatorName: name))")
    }
}
