import Postgres

/// The table of releases, which are never changed or deleted.
enum ReleaseStore {
    /// In the order of `questions`, all of which must be there.
    static func cells(_ questions: [String], in session: some SQLSession) async throws(PostgresError) -> [ReleasedCell]
    {
        try await read("", questions, in: session)
    }

    /// The same, locked: whoever wants to decide one of them waits until this transaction is over.
    static func lockedCells(_ questions: [String], in transaction: Transaction) async throws(PostgresError)
        -> [ReleasedCell]
    {
        try await read("for update", questions, in: transaction)
    }

    private static func read(
        _ lock: SQL, _ questions: [String], in session: some SQLSession
    ) async throws(PostgresError) -> [ReleasedCell] {
        let cells = try await session.query(
            """
            select id, question, month, price, state, count_noisy, count_variance, sum_noisy, sum_variance
            from release where question = any (\(questions)) order by question \(sql: lock)
            """, as: ReleasedCell.self)
        let byQuestion = Dictionary(cells.map { ($0.question, $0) }, uniquingKeysWith: { first, _ in first })
        return questions.compactMap { byQuestion[$0] }
    }

    /// Stores the decision on a pending cell.
    static func decide(_ id: Int64, _ released: Released?, in transaction: Transaction) async throws(PostgresError) {
        guard let released else {
            try await transaction.execute("update release set state = 'withheld' where id = \(id)")
            return
        }
        try await transaction.execute(
            """
            update release set state = 'given', count_noisy = \(released.count), count_variance = \(released.countVariance),
              sum_noisy = \(released.sum), sum_variance = \(released.sumVariance)
            where id = \(id)
            """)
    }
}

extension ReleasedCell: PostgresRowDecodable {
    init(row: PostgresRow) throws(PostgresError) {
        let state: State =
            switch try row.decode("state", as: String.self) {
            case "given":
                .given(
                    Released(
                        count: try row["count_noisy"], countVariance: try row["count_variance"],
                        sum: try row["sum_noisy"], sumVariance: try row["sum_variance"]))
            case "withheld": .withheld
            default: .pending
            }
        self.init(
            id: try row["id"], question: try row["question"], month: try row["month"], price: try row["price"],
            state: state)
    }
}
