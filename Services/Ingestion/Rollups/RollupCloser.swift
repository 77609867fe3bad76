import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Synchronization

/// Closes days for group statistics and publishes their values, once each, in the order of days: from the summaries of
/// blocks, for all people's local days of one date together. One walk over the people counts all due days, since with many people
/// each walk reads all that is stored; what does not fit in memory is published from what is kept. What is counted of a person
/// is kept with the person, sealed, before a day is published: what arrives, is deleted or preferred later does not change it,
/// and a consumer that lacks a closed day gets the same values once more. One pass of closing is at work at a time. Where it is
/// broken off it goes on after the last day that was published.
struct RollupCloser: Sendable {
    /// Days close 48 hours after their end where they end last (UTC-12).
    static let delay = Duration.seconds((48 + 12) * 3600)
    /// How far back the first closing goes; older days are never closed.
    static let daysMax = 400
    /// People who are read together, and how many days of people: as much as a thread computes at once. Two such pages are at
    /// work at the same time: while the database reads one, another one is computed.
    static let peopleMax = 200
    static let peoplesDaysMax = 5000
    static let pagesMax = 2
    /// Values (of a person, data type and day) in memory at the same time, 12 bytes each; more only when one day alone
    /// has more.
    var valuesMax = 10_000_000
    /// For so long a pass holds others off; it says again that it is at work with each page of people.
    static let passSeconds: Int32 = 60
    /// Events that are published together.
    private static let eventsMax = 1000

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
    let progress = ClosingProgress()

    /// The shard whose schema says how far days are closed, and publishes them.
    private var home: Shard { shards[0] }

    /// Another pass of closing has begun.
    private struct Overtaken: Error {}

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
        defer { progress.end() }
        // What came until now is in blocks then; where somebody's cannot be, the others do not wait.
        for (index, shard) in shards.enumerated() {
            try await shard.sealing.sealDays(includesToday: state.requestedThrough.map { $0 >= through } ?? false) {
                progress.set(.sealing, (Double(index) + $0) / Double(shards.count))
            }
        }
        let begin = RollupStore.begin(seconds: Self.passSeconds)
        guard let pass = try await home.database.queryOne(begin, as: Int32.self) else {
            // Another replica is at it. Who waits for the end asks again.
            try await EventLoop.current?.sleep(for: .milliseconds(500))
            return
        }
        // The one before may have ended since. Where this one fails, the next begins when its time is over.
        do { try await close(after: try await self.state().closedThrough, through: through, pass) } catch is Overtaken {
            return
        }
        try await home.database.execute(RollupStore.end(pass))
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

    private func close(after closed: CalendarDate?, through: CalendarDate, _ pass: Int32) async throws {
        let first: CalendarDate
        if let closed {
            first = closed.adding(days: 1)
        } else {
            let earliest = min(try await firstDay(pass) ?? through, through)
            first = max(earliest, through.adding(days: 1 - Self.daysMax))
        }
        var next = first
        while next <= through {
            let end = min(next.adding(days: Self.daysMax - 1), through)
            guard try await close(next...end, pass) else { return }
            next = end.adding(days: 1)
        }
    }

    /// `false` when another pass has begun.
    private func close(_ days: ClosedRange<CalendarDate>, _ pass: Int32) async throws -> Bool {
        var people = 0
        for shard in shards { people += try await shard.database.queryOne(RollupStore.people, as: Int.self) ?? 0 }
        // The walk is half of the work where much is published from what is kept.
        let collected = try await counted(days, by: pass) { seen in
            progress.set(.counting, min(1, Double(seen) / Double(max(1, people))) / 2)
        }
        let count = Self.count(days.lowerBound, days.upperBound)
        for index in 0..<count {
            let day = days.lowerBound.adding(days: index)
            let values =
                day <= collected.last ? collected.all : try await kept(day, by: pass) { try await goOn(pass) }
            guard try await publish(day, of: values, pass) else { return false }
            progress.set(.counting, (1 + Double(index + 1) / Double(count)) / 2)
        }
        return true
    }

    /// Days from one to another, both inclusive.
    private static func count(_ first: CalendarDate, _ last: CalendarDate) -> Int {
        Int(last.daysSinceEpoch - first.daysSinceEpoch) + 1
    }

    /// `false` when another pass has begun.
    private func publish(_ day: CalendarDate, of values: DayValues, _ pass: Int32) async throws -> Bool {
        let events = try await events(of: day, values)
        return try await home.database.transaction { transaction in
            let advance = RollupStore.advance(
                to: day, by: pass, seconds: Self.passSeconds, rollups: values.count(on: day))
            guard try await transaction.execute(advance) == 1 else {
                return false
            }
            for statement in RollupStore.close(day, by: pass) { try transaction.beforeCommit(statement) }
            try await publish(events, in: transaction)
            return true
        }
    }

    private func publish(_ events: [FeedEvent], in transaction: Transaction) async throws {
        for start in stride(from: 0, to: events.count, by: Self.eventsMax) {
            try await home.producer.publish(
                Array(events[start..<min(start + Self.eventsMax, events.count)]), in: transaction)
        }
    }

    /// Publishes closed days again that were asked for, one after the other. One that fails is asked for again.
    func publishWanted() async throws {
        while let day = wanted.takeFirst() {
            guard let pass = try await home.database.queryOne(RollupStore.pass(of: day), as: Int32.self) else {
                continue
            }
            let events = try await events(of: day, try await kept(day, by: pass))
            try await home.database.transaction { try await publish(events, in: $0) }
        }
    }

    private func events(of day: CalendarDate, _ values: DayValues) async throws -> [FeedEvent] {
        let publication = UUID.random()
        let key = try await publicationKeys.make(for: publication)
        return try await threads.computing {
            try RollupEvents.events(of: day, values.columns[day] ?? [:], publication: publication, key: key)
        }
    }

    // MARK: Counting

    /// The first day of which anything with group statistics is in a block.
    private func firstDay(_ pass: Int32) async throws -> CalendarDate? {
        let earliest = Mutex<CalendarDate?>(nil)
        try await eachPage { shard, people in
            try await goOn(pass)
            let first = try await shard.database.queryOne(RollupStore.firstDay(of: people), as: CalendarDate?.self)
            guard let first = first ?? nil else { return }
            earliest.withLock { $0 = min($0 ?? first, first) }
        }
        return earliest.withLock { $0 }
    }

    /// Everybody's values of days that are being closed, which are kept.
    private func counted(
        _ days: ClosedRange<CalendarDate>, by pass: Int32, told: (Int) -> Void
    ) async throws -> CollectedValues {
        let values = CollectedValues(of: days, valuesMax: valuesMax)
        let countMax = max(1, min(Self.peopleMax, Self.peoplesDaysMax / Self.count(days.lowerBound, days.upperBound)))
        try await eachPage(of: countMax, told: told) { shard, people in
            try await goOn(pass)
            try await shard.throttle.run {
                try await count(people, of: shard, days, values, pass)
            }
        }
        return values
    }

    private func count(
        _ people: [RollupStore.Person], of shard: Shard, _ days: ClosedRange<CalendarDate>, _ values: CollectedValues,
        _ pass: Int32
    ) async throws {
        let wanted = days.lowerBound.adding(days: -CountedDay.daysBefore)...days.upperBound
        let rows = try await shard.database.query(
            RollupStore.summaries(of: people, days: wanted), as: RollupStore.Summary.self)
        let known = try await keys.unwrappedKeys(of: Set(people.map(\.account)))
        let page = try await threads.run {
            let page = RollupPage(counting: rows, of: people, known, days)
            values.add(page.published)
            return page
        }
        if !page.kept.isEmpty { try await shard.database.execute(RollupStore.keep(page.kept, by: pass)) }
        try await shard.database.execute(
            RollupStore.forget(before: days.upperBound.adding(days: 1 - Self.daysMax), of: people.map(\.number)))
        for (person, error) in page.failures { report(person, error) }
    }

    /// Says that the pass is still at work. Errors: `Overtaken`.
    private func goOn(_ pass: Int32) async throws {
        guard try await home.database.execute(RollupStore.goOn(pass, seconds: Self.passSeconds)) == 1 else {
            throw Overtaken()
        }
    }

    /// Everybody's values of a day as the pass has counted them. `goOn` is called at each page.
    private func kept(
        _ day: CalendarDate, by pass: Int32, _ goOn: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> DayValues {
        let values = CollectedValues(of: day...day, valuesMax: valuesMax)
        try await eachPage { shard, people in
            try await goOn()
            let rows = try await shard.database.query(
                RollupStore.values(of: people.map(\.number), on: day, by: pass), as: RollupStore.DayValue.self)
            let known = try await keys.unwrappedKeys(of: Set(people.map(\.account)))
            let page = try await threads.run {
                let page = RollupPage(opening: rows, of: people, known, day)
                values.add(page.published)
                return page
            }
            for (person, error) in page.failures { report(person, error) }
        }
        return values.all
    }

    /// Goes through all people with a subject number, some of a shard at a time. `told` hears how many were seen.
    private func eachPage(
        of countMax: Int = peopleMax, told: (Int) -> Void = { _ in },
        _ work: @escaping @Sendable (Shard, [RollupStore.Person]) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { pages in
            var (running, seen) = (0, 0)
            for shard in shards {
                var last = Int32.min
                while true {
                    // First, so that nobody is taken for somebody who is there who was erased while a page waited.
                    if running == Self.pagesMax {
                        try await pages.next()
                        running -= 1
                    }
                    let people = try await shard.database.query(
                        RollupStore.people(after: last, countMax: countMax), as: RollupStore.Person.self)
                    guard let end = people.last?.number else { break }
                    last = end
                    pages.addTask { try await work(shard, people) }
                    running += 1
                    told(seen)
                    seen += people.count
                }
            }
            try await pages.waitForAll()
        }
    }

    private func report(_ person: Int32, _ error: any Error) {
        log.error(
            "unreadable samples were left out of rollups",
            ["person": .integer(Int64(person)), "error": Log.text(of: error)])
    }
}
