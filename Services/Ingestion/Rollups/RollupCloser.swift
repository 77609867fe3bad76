import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Service

/// Closes UTC days and publishes their rollups, once each: a pass over all people's samples covers as many due days as
/// fit in memory. What arrives for a closed day later does not change it. A consumer that lacks a closed day gets it
/// published again.
struct RollupCloser: Sendable {
    /// Days close this long after their end.
    static let delay = Duration.seconds(48 * 3600)
    /// How far back the first closing goes; older days are never closed.
    static let daysMax = 400
    /// Arrivals read in one step; fewer when they are large.
    static let pageMax = 500
    /// People whose arrivals are read together.
    static let peopleMax = 500
    /// Values (of a person, data type and day) in memory at the same time, 12 bytes each; more only when one day alone
    /// has more.
    static let valuesMax = 10_000_000

    let database: Database
    let keys: SubjectKeys
    let publicationKeys: PublicationKeys
    let producer: FeedProducer
    let clock: any WallClock
    let log: Log
    /// The setting `rollups.hold`: no day closes by itself until days were closed by hand once.
    let isHeld: Bool
    /// Closed days that the consumer lacks.
    let wanted = WantedDays()

    private struct State {
        let closedThrough: CalendarDate?
        let isReleased: Bool
    }

    /// Closes the days that are due.
    @discardableResult
    func closeDue() async throws -> Int {
        let state = try await state()
        guard !isHeld || state.isReleased else { return 0 }
        return try await close(state, through: (clock.now() - Self.delay).dateUTC.adding(days: -1))
    }

    /// Closes all days through `day` now; after that, days close by themselves. Returns the number of rollups. A second
    /// call closes nothing more.
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
            first = max(try await firstDay() ?? through, through.adding(days: 1 - Self.daysMax))
        }
        let people = try await database.queryOne(RollupStore.people, as: Int.self) ?? 0
        let days = min(Self.daysMax, max(1, Self.valuesMax / max(1, people * PersonDays.types.count)))
        var count = 0
        var last = state.closedThrough
        var next = first
        while next <= through {
            let end = min(next.adding(days: days - 1), through)
            let values = try await values(next...end)
            for number in next.daysSinceEpoch...end.daysSinceEpoch {
                let day = CalendarDate(daysSinceEpoch: number)
                let columns = values.columns[day] ?? [:]
                guard try await publish(day, columns, after: last) else { return count }
                count += columns.values.reduce(0) { $0 + $1.subjects.count }
                last = day
            }
            next = end.adding(days: 1)
        }
        return count
    }

    /// `false` when another replica has closed it.
    private func publish(
        _ day: CalendarDate, _ columns: [DataType: DayValues.Column], after last: CalendarDate?
    ) async throws -> Bool {
        let events = try await events(of: day, columns)
        return try await database.transaction { transaction in
            guard try await transaction.execute(RollupStore.advance(from: last, to: day)) == 1 else { return false }
            try await producer.publish(events, in: transaction)
            return true
        }
    }

    /// Publishes closed days again that were asked for, one after the other. One that fails is asked for again.
    func publishWanted() async throws {
        while let day = wanted.takeFirst() {
            guard let closed = try await state().closedThrough, day <= closed else { continue }
            let events = try await events(of: day, try await values(day...day).columns[day] ?? [:])
            try await database.transaction { try await producer.publish(events, in: $0) }
        }
    }

    private func events(of day: CalendarDate, _ columns: [DataType: DayValues.Column]) async throws -> [FeedEvent] {
        let publication = UUID.random()
        let key = try await publicationKeys.make(for: publication)
        return try RollupEvents.events(of: day, columns, publication: publication, key: key)
    }

    /// The day of the first sample of anybody.
    private func firstDay() async throws -> CalendarDate? {
        var earliest: Int64?
        try await eachPerson { _, batches in
            for case let first? in batches.map(\.batch.span?.earliest) { earliest = min(earliest ?? first, first) }
        }
        return earliest.map { Timestamp(milliseconds: $0).dateUTC }
    }

    private func values(_ days: ClosedRange<CalendarDate>) async throws -> DayValues {
        var result = DayValues()
        try await eachPerson { subject, batches in
            var person = PersonDays(days)
            for (batch, source) in batches { try person.add(batch, from: source) }
            result.add(&person, subject: subject)
        }
        return result
    }

    /// Hands over everybody's samples for group statistics, in the order of their first samples. Somebody whose samples
    /// cannot be read, or with far too many that overlap, is left out as a whole, and does not keep the day of all others
    /// open.
    private func eachPerson(_ use: (Int32, [(batch: SampleBatch, source: Int16)]) throws -> Void) async throws {
        var last: Int32 = .min
        while true {
            let people = try await database.query(
                RollupStore.people(after: last, countMax: Self.peopleMax), as: RollupStore.Person.self)
            guard let first = people.first?.number, let end = people.last?.number else { return }
            last = end
            let known = try await keys.unwrappedKeys(of: Set(people.map(\.account)))
            var place = RollupStore.Place(person: first - 1, arrival: .max)
            var (index, rows, isLast) = (0, [StoredArrival](), false)
            func pass() {
                defer { rows = [] }
                // Erased meanwhile, or nothing is stored.
                guard let key = known[people[index].account], !rows.isEmpty else { return }
                do {
                    let key = try key.get()
                    let batches = try rows.map { row -> (batch: SampleBatch, source: Int16) in
                        var batch = try row.samples(of: people[index].account, key)
                        batch.keep(PersonDays.mask)
                        return (batch, row.source)
                    }
                    try use(
                        people[index].subject,
                        batches.filter { !$0.batch.isEmpty }.sorted { $0.batch.earliest < $1.batch.earliest })
                } catch { report(people[index].number, error) }
            }
            while !isLast {
                let page = try ArrivalPage<RollupStore.Row>(
                    await database.run(RollupStore.arrivals(after: place, through: end, rowsMax: Self.pageMax)),
                    rowsMax: Self.pageMax)
                for row in page.rows {
                    // People without subject numbers come in between.
                    while people[index].number < row.person {
                        pass()
                        index += 1
                    }
                    if people[index].number == row.person { rows.append(row.stored) }
                    place = row.place
                }
                isLast = !page.hasMore
            }
            pass()
        }
    }

    private func report(_ person: Int32, _ error: any Error) {
        log.error(
            "unreadable samples were left out of rollups",
            ["person": .integer(Int64(person)), "error": Log.text(of: error)])
    }
}
