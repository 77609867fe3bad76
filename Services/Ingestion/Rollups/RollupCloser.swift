import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Closes days for group statistics and publishes their values, once each, in the order of days: from the summaries of
/// blocks, for all people's local days of one date together. A pass over the people covers as many due days as fit in
/// memory. What arrives for a closed day later does not change it. A consumer that lacks a closed day gets it published
/// again. Where it is broken off it goes on after the last day that was published.
struct RollupCloser: Sendable {
    /// Days close 48 hours after their end where they end last (UTC-12).
    static let delay = Duration.seconds((48 + 12) * 3600)
    /// How far back the first closing goes; older days are never closed.
    static let daysMax = 400
    /// People whose summaries are read together.
    static let peopleMax = 200
    /// Values (of a person, data type and day) in memory at the same time, 12 bytes each; more only when one day alone
    /// has more.
    static let valuesMax = 10_000_000

    /// Whose values are counted together.
    let shards: [Shard]
    let keys: SubjectKeys
    let publicationKeys: PublicationKeys
    let clock: any WallClock
    let log: Log
    let threads: BlockingPool
    /// The setting `rollups.hold`: no day closes by itself until days were closed by hand once.
    let isHeld: Bool
    /// Closed days that the consumer lacks.
    let wanted = WantedDays()

    /// The shard whose schema says how far days are closed, and publishes them.
    private var home: Shard { shards[0] }

    /// How far days are closed.
    struct State: Sendable {
        let closedThrough: CalendarDate?
        let requestedThrough: CalendarDate?
        let rollups: Int64
        let isReleased: Bool
    }

    /// Closes the days that are due, or were asked for.
    func closeDue() async throws {
        let state = try await state()
        var through: CalendarDate?
        if !isHeld || state.isReleased { through = (clock.now() - Self.delay).dateUTC.adding(days: -1) }
        if let requested = state.requestedThrough { through = max(through ?? requested, requested) }
        guard let through, state.closedThrough.map({ $0 < through }) ?? true else { return }
        // What came until now is in blocks then; where somebody's cannot be, the others do not wait.
        for shard in shards {
            try await shard.sealing.sealDays(includesToday: state.requestedThrough.map { $0 >= through } ?? false)
        }
        try await close(state, through: through)
    }

    func state() async throws -> State {
        let row = try await home.database.queryOne(
            RollupStore.state, as: CalendarDate?.self, CalendarDate?.self, Int64.self, Bool.self)
        return State(
            closedThrough: row?.0, requestedThrough: row?.1, rollups: row?.2 ?? 0, isReleased: row?.3 ?? false)
    }

    /// Asks for the days through one to be closed now.
    func request(through day: CalendarDate) async throws(PostgresError) {
        try await home.database.execute(RollupStore.request(through: day))
    }

    private func close(_ state: State, through: CalendarDate) async throws {
        let first: CalendarDate
        if let closed = state.closedThrough {
            first = closed.adding(days: 1)
        } else {
            var earliest = through
            for shard in shards {
                let first = try await shard.database.queryOne(
                    RollupStore.firstDay(of: DayValues.mask), as: CalendarDate?.self)
                if let first = first ?? nil { earliest = min(earliest, first) }
            }
            first = max(earliest, through.adding(days: 1 - Self.daysMax))
        }
        var people = 0
        for shard in shards { people += try await shard.database.queryOne(RollupStore.people, as: Int.self) ?? 0 }
        let days = min(Self.daysMax, max(1, Self.valuesMax / max(1, people * DayValues.types.count)))
        var last = state.closedThrough
        var next = first
        while next <= through {
            let end = min(next.adding(days: days - 1), through)
            let values = try await values(next...end)
            for number in next.daysSinceEpoch...end.daysSinceEpoch {
                let day = CalendarDate(daysSinceEpoch: number)
                let columns = values.columns[day] ?? [:]
                guard try await publish(day, columns, after: last) else { return }
                last = day
            }
            next = end.adding(days: 1)
        }
    }

    /// `false` when another replica has closed it.
    private func publish(
        _ day: CalendarDate, _ columns: [DataType: DayValues.Column], after last: CalendarDate?
    ) async throws -> Bool {
        let events = try await events(of: day, columns)
        let count = columns.values.reduce(0) { $0 + $1.subjects.count }
        return try await home.database.transaction { transaction in
            guard try await transaction.execute(RollupStore.advance(from: last, to: day, rollups: count)) == 1 else {
                return false
            }
            try await home.producer.publish(events, in: transaction)
            return true
        }
    }

    /// Publishes closed days again that were asked for, one after the other. One that fails is asked for again.
    func publishWanted() async throws {
        while let day = wanted.takeFirst() {
            guard let closed = try await state().closedThrough, day <= closed else { continue }
            let events = try await events(of: day, try await values(day...day).columns[day] ?? [:])
            try await home.database.transaction { try await home.producer.publish(events, in: $0) }
        }
    }

    private func events(of day: CalendarDate, _ columns: [DataType: DayValues.Column]) async throws -> [FeedEvent] {
        let publication = UUID.random()
        let key = try await publicationKeys.make(for: publication)
        return try RollupEvents.events(of: day, columns, publication: publication, key: key)
    }

    private func values(_ days: ClosedRange<CalendarDate>) async throws -> DayValues {
        var result = DayValues()
        for shard in shards { result = try await adding(days, of: shard, to: result) }
        return result
    }

    private func adding(
        _ days: ClosedRange<CalendarDate>, of shard: Shard, to values: DayValues
    ) async throws -> DayValues {
        var (result, last) = (values, Int32.min)
        let wanted = days.lowerBound.adding(days: -CountedDay.daysBefore)...days.upperBound
        while true {
            let people = try await shard.database.query(
                RollupStore.people(after: last, countMax: Self.peopleMax), as: RollupStore.Person.self)
            guard let end = people.last?.number else { return result }
            last = end
            let rows = try await shard.database.query(
                RollupStore.summaries(of: people.map(\.number), types: DayValues.mask, days: wanted),
                as: RollupStore.Summary.self)
            let known = try await keys.unwrappedKeys(of: Set(people.map(\.account)))
            let before = result
            let (after, failures) = try await threads.run { Self.added(rows, of: people, known, days, to: before) }
            result = after
            for (person, error) in failures { report(person, error) }
            try Task.checkCancellation()
        }
    }

    /// Somebody whose summaries cannot be read is left out as a whole, and does not keep the day of all others open.
    private static func added(
        _ rows: [RollupStore.Summary], of people: [RollupStore.Person],
        _ keys: [UUID: Result<SubjectKey, SecurityError>], _ days: ClosedRange<CalendarDate>, to values: DayValues
    ) -> (DayValues, [(Int32, any Error)]) {
        var (result, failures) = (values, [(Int32, any Error)]())
        let rows = Dictionary(grouping: rows, by: \.person)
        for person in people {
            // Erased meanwhile, or nothing is stored.
            guard let key = keys[person.account], let own = rows[person.number] else { continue }
            do {
                let key = try key.get()
                let context = try PersonContext(person.stored, of: person.account, key: key)
                let work = SealWork(account: person.account, key: key)
                var summaries: [DataType: [CalendarDate: DaySummary]] = [:]
                for row in own {
                    summaries[row.key.type, default: [:]][row.key.day] = try work.openSummary(row.key, row.sealed)
                }
                result.add(summaries, of: context, days: days, subject: person.subject)
            } catch { failures.append((person.number, error)) }
        }
        return (result, failures)
    }

    private func report(_ person: Int32, _ error: any Error) {
        log.error(
            "unreadable samples were left out of rollups",
            ["person": .integer(Int64(person)), "error": Log.text(of: error)])
    }
}
