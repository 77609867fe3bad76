import Domain
import HTTP
import Postgres
public import Primitives
import Reactor
import Security

/// Answers group requests: nothing else reads values out of the anonymous store (ARCHITECTURE, "The anonymous store").
public struct GroupRequests: Sendable {
    let database: Database
    let ledger: PrivacyLedger
    let price: PrivacyPrice
    let clock: any WallClock
    let pool: BlockingPool
    let places: ComputingPlaces
    /// Profiles are waited for until nothing was added to them for this long.
    let quiet: Duration

    /// A day closes so long after its end.
    static let closing = Duration.seconds(48 * 3600)
    private static let deadline = Duration.seconds(60)

    /// Group requests that one process computes at the same time.
    static let computedMax = 4

    /// What a third party is answered; who keeps it, and what it costs, is not known here. Errors: 422 `invalid-question`, and as
    /// below.
    public func answer(_ body: GroupQuestionBody, by payer: UUID) async throws -> AnsweredQuestion {
        try AnsweredQuestion(body, try await answer(GroupQuestion(body), by: payer))
    }

    /// Errors: 422 for days that are not closed, 403 `privacy-budget-spent`, 503 while data is being loaded, and `overloaded` while
    /// too many others are computed; then nothing was charged.
    func answer(_ question: GroupQuestion, by payer: UUID) async throws -> GroupAnswer {
        let complete = try await completeDays(question)
        // Faults of the question are found before anything is charged.
        let cells = try question.types.flatMap { type in
            try question.days.map { try ReleaseCell(type: type, day: $0, predicate: question.predicate, price: price) }
        }
        let known = try await ReleaseStore.cells(cells.map(\.question), in: database)
        let isDecided = known.count == cells.count && known.allSatisfy { $0.state != .pending }
        let released =
            if isDecided {
                try await charge(cells, to: payer)
            } else {
                try await places.run {
                    let charged = try await charge(cells, to: payer)
                    guard charged.contains(where: { $0.state == .pending }) else { return charged }
                    return try await decide(cells, predicate: question.predicate, complete: complete)
                }
            }
        let buckets = zip(cells, released).map { GroupAnswer.Bucket($0, $1.state) }
        let months = Set(cells.map(\.month)).sorted()
        let balance = try await ledger.balance(of: payer, months: months, in: database)
        return GroupAnswer(
            key: Digest.sha256(Array(cells.map(\.question).joined(separator: "\n").utf8)), buckets: buckets,
            balance: balance.map { .init(month: $0.month, left: Double($0.left) / 1e9) })
    }

    private func charge(_ cells: [ReleaseCell], to payer: UUID) async throws -> [ReleasedCell] {
        try await database.transaction { transaction in
            try await ledger.charge(cells, to: payer, in: transaction)
        }
    }

    /// Decides pending cells in one transaction, whose locks make all others that want these cells wait. After a crash
    /// nobody has seen the noise, and it is drawn anew.
    private func decide(
        _ cells: [ReleaseCell], predicate: Predicate, complete: Set<CalendarDate>
    ) async throws -> [ReleasedCell] {
        try await database.transaction(deadline: .after(Self.deadline)) { transaction in
            var stored = try await ReleaseStore.lockedCells(cells.map(\.question), in: transaction)
            guard stored.count == cells.count else { throw ColumnError.malformed }
            let profiles = try await ColumnStore.load(.profiles, of: ProfileCell.self, from: transaction)
            var masks: [Int: SubjectMask] = [:]
            for index in cells.indices where stored[index].state == .pending {
                let cell = cells[index]
                let key = ColumnKey.values(cell.type, cell.day)
                // A day that never arrived gets no verdict: it may arrive later.
                guard complete.contains(cell.day) else { continue }
                // The price that was charged, which may differ from today's.
                let noise = try CellNoise(price: stored[index].price, bounds: cell.bounds)
                let column = try await ColumnStore.load(key, of: ValueCell.self, from: transaction)
                let year = cell.day.year
                let known = masks[year]
                let (mask, released) = try await pool.run {
                    let mask = known ?? SubjectMask(profiles, matching: predicate, year: year)
                    var generator = SystemRandomNumberGenerator()
                    let total = mask.total(column)
                    return (mask, Released.release(total, noise: noise, using: &generator))
                }
                masks[year] = mask
                try await ReleaseStore.decide(stored[index].id, released, in: transaction)
                stored[index].state = released.map { .given($0) } ?? .withheld
            }
            return stored
        }
    }

    /// The complete days of the question. Errors: 503 while a day has arrived in part.
    private func completeDays(_ question: GroupQuestion) async throws -> Set<CalendarDate> {
        let known = try await RollupDays.known(from: question.from, through: question.through, in: database)
        let now = clock.now()
        if let open = question.days.last(where: {
            known[$0] == nil && $0.adding(days: 1).startUTC + Self.closing > now
        }) {
            throw Problem(
                .unprocessableContent, code: "day-not-closed",
                detail: "\(open) is not closed yet: days close 48 hours after their end",
                errors: [.init(pointer: "/to", detail: "not closed yet")])
        }
        let profiles = try await ColumnStore.profilesLoaded(in: database)
        guard known.values.allSatisfy(\.self), let profiles, now - profiles >= quiet else {
            throw Problem(
                .serviceUnavailable, code: "statistics-being-loaded",
                detail: "data of this period is being added at this moment", retryAfter: quiet)
        }
        return Set(known.keys)
    }
}
