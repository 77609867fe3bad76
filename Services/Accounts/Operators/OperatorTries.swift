import Postgres
import Primitives

/// Keeps who guesses from an operator's log-in. Tries are counted by the name that is typed, whether or not there is such an operator,
/// so that being refused tells nothing (ACC-07b); in the table of people's log-ins, which forgets them, under indexes of their own.
struct OperatorTries: Sendable {
    /// Under one name within `window`; then none is taken, whoever it is. A right log-in begins anew.
    static let countMax = 10
    static let window = LoginAttempts.nameWindow

    let store: Store

    /// Counts a try. Throws `too-many-tries` when there were too many; then it is not counted.
    func begin(_ name: String) async throws {
        let (index, now) = (store.columns.index(operatorName: name), store.now())
        let tries = TryWindow(
            table: "login_name_attempt", subject: "login_index", max: Self.countMax, length: Self.window)
        guard try await !tries.count("\(index)", at: now, in: store.database) else { return }
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
