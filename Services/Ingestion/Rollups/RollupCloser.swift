import Contracts
import Domain
import Feed
import Postgres
import Primitives

/// Closes UTC days and publishes their rollups: once each, in one pass over everybody's samples for all days that are due.
/// What arrives for a closed day later does not change it.
struct RollupCloser: Sendable {
    /// Days close this long after their end.
    static let delay = Duration.seconds(48 * 3600)
    /// How far back the first closing goes; older days are never closed.
    static let daysMax = 400
    /// Arrivals in memory at the same time.
    static let pageMax = 500

    let database: Database
    let keys: SubjectKeys
    let producer: FeedProducer
    let clock: any WallClock
    /// The setting `rollups.hold`: nothing closes by itself until days were closed by hand once.
    let isHeld: Bool

    private struct State {
        let closedThrough: CalendarDate?
        let isReleased: Bool
    }

    /// Closes what is due.
    @discardableResult
    func closeDue() async throws -> Int {
        let state = try await state()
        guard !isHeld || state.isReleased else { return 0 }
        return try await close(state, through: (clock.now() - Self.delay).dateUTC.adding(days: -1))
    }

    /// Closes all days through `day` now; after that, days close by themselves. Answers how many rollups there were. Doing it
    /// again closes nothing more.
    func close(through day: CalendarDate) async throws -> Int {
        try await database.execute(RollupStore.release)
        return try await close(try await state(), through: day)
    }

    private func state() async throws -> State {
        let row = try await database.queryOne(RollupStore.state, as: CalendarDate?.self, Bool.self)
        return State(closedThrough: row?.0, isReleased: row?.1 ?? false)
    }

    private func close(_ state: State, through: CalendarDate) async throws -> Int {
        let first: CalendarDate
        if let closed = state.closedThrough {
            first = closed.adding(days: 1)
        } else {
            let earliest = try await database.queryOne(RollupStore.firstDay, as: CalendarDate?.self) ?? nil
            first = max(earliest ?? through, through.adding(days: 1 - Self.daysMax))
        }
        guard first <= through else { return 0 }
        let values = try await values(first...through)
        var count = 0
        var last = state.closedThrough
        for number in first.daysSinceEpoch...through.daysSinceEpoch {
            let day = CalendarDate(daysSinceEpoch: number)
            let columns = values.columns[day] ?? [:]
            // Days without anything are passed over together with the next.
            guard !columns.isEmpty || day == through else { continue }
            guard try await publish(day, columns, after: last) else { return count }
            count += columns.values.reduce(0) { $0 + $1.subjects.count }
            last = day
        }
        return count
    }

    /// `false` when another replica has closed it.
    private func publish(
        _ day: CalendarDate, _ columns: [DataType: DayValues.Column], after last: CalendarDate?
    ) async throws -> Bool {
        let events = try RollupEvents.events(of: day, columns)
        return try await database.transaction { transaction in
            guard try await transaction.execute(RollupStore.advance(from: last, to: day)) == 1 else { return false }
            try await producer.publish(events, in: transaction)
            return true
        }
    }

    private func values(_ days: ClosedRange<CalendarDate>) async throws -> DayValues {
        let types = DataType.mask(DataType.allCases.filter { $0.groupBounds != nil })
        var result = DayValues()
        var last = (account: UUID(high: 0, low: 0), arrival: Int64(0))
        var person = PersonDays(days)
        var subject: Int32?
        while true {
            let rows = try await database.query(
                RollupStore.samples(
                    after: last, types: types, from: days.lowerBound, through: days.upperBound, limit: Self.pageMax),
                as: UUID.self, Int64.self, UUID.self, Int32.self, [UInt8].self)
            let known = try await keys.existingKeys(of: Set(rows.map(\.0)))
            for (account, arrival, id, number, sealed) in rows {
                if let subject, account != last.account {
                    result.add(person, subject: subject)
                    person = PersonDays(days)
                }
                (last, subject) = ((account, arrival), number)
                // Erased meanwhile.
                guard let key = known[account] else { continue }
                person.add(try StoredArrival(arrival: arrival, id: id, device: nil, sealed: sealed).samples(key))
            }
            guard rows.count == Self.pageMax else { break }
        }
        if let subject { result.add(person, subject: subject) }
        return result
    }
}
