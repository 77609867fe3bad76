/// What was sent in one round trip and what has come back so far.
struct Exchange {
    /// What the server will answer, in order.
    enum Expected {
        case prepare(StatementCache.Statement)
        case deallocate(StatementCache.Statement)
        /// `BEGIN`, whose answer nobody asked for.
        case begin
        case statement(StatementCache.Statement)
        /// `COMMIT` or `ROLLBACK`, whose answer tells which of them it became.
        case command
    }

    private(set) var expected: [Expected] = []
    /// Which of them is being answered.
    private(set) var position = 0
    /// Of the statements, in order.
    var results: [ResultSet] = []
    private(set) var failure: ServerError?
    private(set) var failedStatement: StatementCache.Statement?
    /// Whether the failure came before everything was answered, and so before the commit.
    private var failedEarly = false
    /// Whether a transaction was open, or was opened first.
    private(set) var isInTransaction = false
    /// Whether this is the `COMMIT` of one.
    var isCommit = false

    mutating func reset(isInTransaction: Bool) {
        if expected.count == 1 {
            expected.removeLast()
        } else {
            expected.removeAll(keepingCapacity: expected.count < 64)
        }
        position = 0
        if !results.isEmpty { results.removeAll(keepingCapacity: results.count < 64) }
        failure = nil
        failedStatement = nil
        failedEarly = false
        isCommit = false
        self.isInTransaction = isInTransaction
    }

    mutating func expect(_ next: Expected) { expected.append(next) }

    /// What is being answered; `nil` once only the end of the exchange is awaited.
    var current: Expected? { position < expected.count ? expected[position] : nil }

    /// False when there are more answers than questions.
    mutating func advance() -> Bool {
        position += 1
        return position <= expected.count + 1
    }

    mutating func fail(_ error: ServerError) {
        guard failure == nil else { return }
        failure = error
        failedEarly = current != nil
        if case .statement(let statement) = current { failedStatement = statement }
    }

    /// When the connection is lost now: whether a change may be committed all the same. Outside a transaction the commit
    /// comes after the last answer, so a failure that the server reported earlier leaves no doubt.
    var isOutcomeUnknown: Bool {
        if isCommit { return true }
        if isInTransaction || failedEarly { return false }
        return expected.contains {
            if case .statement(let statement) = $0 { !statement.isRead } else { false }
        }
    }
}
