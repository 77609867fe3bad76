import Postgres

/// The table of releases: what is in it stands for good.
enum ReleaseStore {
    /// In the order of `questions`, all of which must be there.
    static func cells(_ questions: [String], in session: some SQLSession) async throws(PostgresError) -> [ReleasedCell]
    {
        try await read("", questions, in: session)
    }

    /// The same, and whoever else wants to decide one of them waits until this transaction is over.
    static func lockedCells(_ questions: [String], in transaction: Transaction) async throws(PostgresError)
        -> [ReleasedCell]
    {
        try await read("for update", questions, in: transaction)
    }

    private static func read(
        _ lock: SQL, _ questions: [String], in session: some SQLSession
    ) async throws(PostgresError) -> [ReleasedCell] {
        let rows = try await session.query(
            """
            select id, question, state, count_noisy, count_variance, sum_noisy, sum_variance
            from release where question = any (\(questions)) order by question \(sql: lock)
            """, as: Int64.self, String.self, String.self, Int64?.self, Int64?.self, Int64?.self, Int64?.self)
        let cells = rows.map { row in
            let state: ReleasedCell.State =
                switch (row.2, row.3, row.4, row.5, row.6) {
                case ("given", let count?, let countVariance?, let sum?, let sumVariance?):
                    .given(
                        Released(
                            count: count, countVariance: countVariance, sum: sum, sumVariance: sumVariance))
                case ("withheld", _, _, _, _): .withheld
                default: .pending
                }
            return ReleasedCell(id: row.0, question: row.1, state: state)
        }
        let byQuestion = Dictionary(cells.map { ($0.question, $0) }, uniquingKeysWith: { first, _ in first })
        return questions.compactMap { byQuestion[$0] }
    }

    /// Keeps the verdict of a pending cell.
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
