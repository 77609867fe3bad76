import HTTP
import Postgres
import Primitives

/// What group requests cost and may cost. Charges are committed, with the cells pending, before anything is computed;
/// there are no refunds, and whether a request is refused depends on the ledger only.
struct PrivacyLedger: Sendable {
    let caps: PrivacyCaps

    /// Charges the cells and returns what is stored of them, in the order of their questions. A cell is charged once to
    /// the common budget and once to each third party that asks, always at the price that is stored with it. Errors:
    /// 403 `privacy-budget-spent`, and then nothing was charged.
    func charge(
        _ cells: [ReleaseCell], to payer: UUID, in transaction: Transaction
    ) async throws -> [ReleasedCell] {
        // One at a time, which also keeps the order of the locks on the rows below.
        try await transaction.execute("select pg_advisory_xact_lock(hashtextextended('privacy ledger', 0))")
        let questions = cells.map(\.question)
        let new = Set(
            try await transaction.query(
                """
                insert into release (question, month, price)
                select * from unnest(\(questions), \(cells.map(\.month)), \(cells.map(\.price)))
                on conflict (question) do nothing returning question
                """, as: String.self))
        let stored = try await ReleaseStore.cells(questions, in: transaction)
        let paid = Set(
            try await transaction.query(
                """
                insert into payment (payer_id, release_id) select \(payer), id from unnest(\(stored.map(\.id))) as t (id)
                on conflict do nothing returning release_id
                """, as: Int64.self))
        try await spend(Self.byMonth(stored.filter { new.contains($0.question) }), in: transaction)
        try await spend(Self.byMonth(stored.filter { paid.contains($0.id) }), by: payer, in: transaction)
        return stored
    }

    /// What the payer has left for each of the months.
    func balance(
        of payer: UUID, months: [CalendarDate], in session: some SQLSession
    ) async throws(PostgresError) -> [(month: CalendarDate, left: Int64)] {
        let rows = try await session.query(
            "select month, amount from spent_by where payer_id = \(payer) and month = any (\(months))",
            as: CalendarDate.self, Int64.self)
        let spent = Dictionary(rows.map { ($0.0, $0.1) }, uniquingKeysWith: max)
        return months.map { ($0, max(0, caps.perPayerAndMonth - (spent[$0] ?? 0))) }
    }

    private func spend(_ amounts: [(CalendarDate, Int64)], in transaction: Transaction) async throws {
        for (month, amount) in amounts {
            let total = try await transaction.queryOne(
                """
                insert into spent (month, amount) values (\(month), \(amount))
                on conflict (month) do update set amount = spent.amount + excluded.amount returning amount
                """, as: Int64.self)
            guard let total, total <= caps.perMonth else { throw Self.spent }
            let year = try await transaction.queryOne(
                """
                select coalesce(max(total), 0)::bigint from (
                  select (select sum(amount) from spent
                    where spent.month >= start and spent.month < start + interval '12 months') as total
                  from generate_series(\(month) - interval '11 months', \(month)::timestamp, interval '1 month') as w (start)
                ) as windows
                """, as: Int64.self)
            guard let year, year <= caps.perYear else { throw Self.spent }
        }
    }

    private func spend(_ amounts: [(CalendarDate, Int64)], by payer: UUID, in transaction: Transaction) async throws {
        for (month, amount) in amounts {
            let total = try await transaction.queryOne(
                """
                insert into spent_by (payer_id, month, amount) values (\(payer), \(month), \(amount))
                on conflict (payer_id, month) do update set amount = spent_by.amount + excluded.amount returning amount
                """, as: Int64.self)
            guard let total, total <= caps.perPayerAndMonth else { throw Self.spent }
        }
    }

    private static func byMonth(_ cells: [ReleasedCell]) -> [(CalendarDate, Int64)] {
        Dictionary(grouping: cells, by: \.month).map { ($0, $1.reduce(0) { $0 + $1.price }) }.sorted { $0.0 < $1.0 }
    }

    /// The same answer whether the own budget or the common one is spent. No budget comes back with time, so it is no
    /// 429.
    static let spent = Problem(
        .forbidden, code: "privacy-budget-spent",
        detail: "the privacy budget for this period is spent; what was answered before can still be had")
}
