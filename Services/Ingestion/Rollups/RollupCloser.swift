import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Closes days for group statistics and publishes their values, once each, in the order of days: from the summaries of
/// blocks, for all people's local days of one date together. One walk over the people counts all due days, since with many people
/// each walk reads all that is stored; what does not fit in memory is published from what is kept. What is counted of a person
/// is kept with the person, sealed, before a day is published: what arrives, is deleted or preferred later does not change it,
/// and a consumer that lacks a closed day gets the same values once more. One pass of closing is at work at a time. Where it is
/// broken off the next one goes on: after the last people who were counted, and with the day after the last that was published.
struct RollupCloser: Sendable {
    /// Days close 48 hours after their end where they end last (UTC-12).
    static let delay = Duration.seconds((48 + 12) * 3600)
    /// How far back the first closing goes; older days are never closed.
    static let daysMax = 400
    /// How often, once a second, it is looked whether the pass of another process, which may be no more, has ended.
    private static let looksMax = 2 * Int(ClosingPass.seconds)
    private static let lookInterval = Duration.seconds(1)
    /// Events that are published together.
    private static let eventsMax = 1000

    var counter: DayCounter
    let publicationKeys: PublicationKeys
    let clock: any WallClock
    /// The setting `rollups.hold`: no day closes by itself until days were closed by hand once.
    let isHeld: Bool
    /// Closed days that the consumer lacks.
    let wanted = WantedDays()
    let progress = ClosingProgress()

    private var shards: [Shard] { counter.shards }
    /// The shard whose schema says how far days are closed, and publishes them.
    private var home: Shard { shards[0] }

    /// Closes the days that are due, or were asked for. While another process is at it, waits for a while.
    func closeDue() async throws {
        defer { progress.end() }
        for _ in 0..<Self.looksMax {
            let state = try await state()
            guard let through = due(state) else { return }
            // Before anything is sealed, so that who waits does not work.
            if state.isFree {
                // What came until midnight (UTC) is in blocks then, so a day has what came up to 36 hours late. Sealing what came
                // today as well would seal everybody's days twice. Where somebody's cannot be, the others do not wait.
                for (index, shard) in shards.enumerated() {
                    try await shard.sealing.sealDays(
                        includesToday: state.requestedThrough.map { $0 >= through } ?? false
                    ) {
                        progress.set(.sealing, (Double(index) + $0) / Double(shards.count))
                    }
                }
                if let pass = try await begin() {
                    // Where it fails, the next begins when its time is over.
                    do { try await close(through: through, pass) } catch is ClosingPass.Overtaken { return }
                    try await home.database.execute(RollupStore.end(pass.number))
                    continue
                }
            }
            try await EventLoop.current?.sleep(for: Self.lookInterval)
        }
    }

    func state() async throws(PostgresError) -> RollupStore.State {
        guard let state = try await home.database.queryOne(RollupStore.state, as: RollupStore.State.self) else {
            throw .usage("rollup_state has no row")
        }
        return state
    }

    /// The last day that is to be closed now. One clock that was set forward, this process's or the database's, closes no day
    /// before its time.
    private func due(_ state: RollupStore.State) -> CalendarDate? {
        let now = min(clock.now(), state.now)
        var through: CalendarDate?
        if !isHeld || state.isReleased { through = (now - Self.delay).dateUTC.adding(days: -1) }
        if let requested = state.requestedThrough {
            let over = min(requested, now.dateUTC.adding(days: -1))
            through = max(through ?? over, over)
        }
        guard let through, state.closedThrough.map({ $0 < through }) ?? true else { return nil }
        return through
    }

    /// Asks for the days through one to be closed now.
    func request(through day: CalendarDate) async throws(PostgresError) {
        try await home.database.execute(RollupStore.request(through: day))
    }

    /// `nil` while another pass is at work.
    private func begin() async throws -> ClosingPass? {
        // A schema that was restored from an older copy than another shard's begins after that one's.
        var last: Int32 = 0
        for shard in shards {
            last = max(last, try await shard.database.queryOne(CountingStore.pass, as: Int32.self) ?? 0)
        }
        let begin = RollupStore.begin(after: last, seconds: ClosingPass.seconds)
        let number = try await home.database.queryOne(begin, as: Int32.self)
        return number.map { ClosingPass($0, home: home.database) }
    }

    /// Days that are counted already, and not all published yet, come first; not those that were begun under a clock that was set
    /// forward.
    private func close(through: CalendarDate, _ pass: ClosingPass) async throws {
        while true {
            // That of the pass before, which may have ended since.
            let state = try await state()
            let days: ClosedRange<CalendarDate>
            if let counting = state.counting, counting.upperBound <= through,
                state.closedThrough.map({ $0 < counting.upperBound }) ?? true
            {
                days = counting
            } else {
                let first = try await firstDay(state, through: through, pass)
                guard first <= through else { return }
                days = first...min(first.adding(days: Self.daysMax - 1), through)
                try await pass.change(RollupStore.count(days, by: pass.number))
            }
            // The walk is half of the work where much is published from what is kept.
            let collected = try await counter.count(days, by: pass) { progress.set(.counting, min(1, $0) / 2) }
            let next = max(days.lowerBound, state.closedThrough?.adding(days: 1) ?? days.lowerBound)
            try await publish(next...days.upperBound, collected, pass)
        }
    }

    private func firstDay(
        _ state: RollupStore.State, through: CalendarDate, _ pass: ClosingPass
    ) async throws -> CalendarDate {
        if let closed = state.closedThrough { return closed.adding(days: 1) }
        let earliest = min(try await counter.firstDay(pass) ?? through, through)
        return max(earliest, through.adding(days: 1 - Self.daysMax))
    }

    /// Publishes days that were counted, from memory or from what is kept.
    private func publish(
        _ days: ClosedRange<CalendarDate>, _ collected: CollectedValues, _ pass: ClosingPass
    ) async throws {
        var (values, room, day) = (collected, 1, days.lowerBound)
        while day <= days.upperBound {
            if values.last < day {
                let last = min(day.adding(days: room - 1), days.upperBound)
                values = try await counter.kept(day...last) { try await pass.goOn() }
            }
            let own = values.take(day)
            try await publish(day, own, pass)
            room = self.room(for: own, on: day)
            progress.set(.counting, (1 + Double((days.lowerBound...day).dayCount) / Double(days.dayCount)) / 2)
            day = day.adding(days: 1)
        }
    }

    /// How many days like this one are read together, at most.
    private func room(for values: DayValues, on day: CalendarDate) -> Int {
        max(1, min(Self.daysMax, counter.valuesMax / max(1, values.count(on: day))))
    }

    private func publish(_ day: CalendarDate, _ values: DayValues, _ pass: ClosingPass) async throws {
        let events = try await events(of: day, values)
        let isPublished = try await home.database.transaction { transaction in
            let advance = RollupStore.advance(
                to: day, by: pass.number, seconds: ClosingPass.seconds, rollups: values.count(on: day))
            guard try await transaction.execute(advance) == 1 else { return false }
            for statement in RollupStore.close(day) { try transaction.beforeCommit(statement) }
            try await publish(events, in: transaction)
            return true
        }
        guard isPublished else { throw ClosingPass.Overtaken() }
    }

    private func publish(_ events: [FeedEvent], in transaction: Transaction) async throws {
        for start in stride(from: 0, to: events.count, by: Self.eventsMax) {
            try await home.producer.publish(
                Array(events[start..<min(start + Self.eventsMax, events.count)]), in: transaction)
        }
    }

    /// Publishes closed days again that were asked for. One that fails is asked for again. Each walk over the people is
    /// followed by `between`: there may be many, and what is due comes first.
    func publishWanted(between: () async throws -> Void = {}) async throws {
        var room = 1
        while let days = wanted.takeFirst(countMax: room) {
            let closed = Set(try await home.database.query(RollupStore.closed(in: days), as: CalendarDate.self))
            guard !closed.isEmpty else { continue }
            let values = try await counter.kept(days)
            for number in days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch {
                let day = CalendarDate(daysSinceEpoch: number)
                guard closed.contains(day) else { continue }
                guard day <= values.last else {
                    wanted.add([day])
                    continue
                }
                let own = values.take(day)
                try await publishAgain(day, own)
                room = self.room(for: own, on: day)
            }
            try await between()
        }
    }

    private func publishAgain(_ day: CalendarDate, _ values: DayValues) async throws {
        let events = try await events(of: day, values)
        try await home.database.transaction { transaction in
            // Of days that are not listed any more not all values are kept.
            guard try await transaction.queryOne(RollupStore.keepClosed(day), as: CalendarDate.self) != nil else {
                return
            }
            try await publish(events, in: transaction)
        }
    }

    private func events(of day: CalendarDate, _ values: DayValues) async throws -> [FeedEvent] {
        let publication = UUID.random()
        let key = try await publicationKeys.make(for: publication)
        return try await counter.threads.computing {
            try RollupEvents.events(of: day, values.columns[day] ?? [:], publication: publication, key: key)
        }
    }
}
