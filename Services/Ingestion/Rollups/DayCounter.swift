import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Synchronization

/// Counts what is published of all people's days, in walks over the people, shard by shard in the order of their numbers. What is
/// counted of a person is kept with the person before anything is published. A walk that is broken off goes on after the
/// last people of whom that is so.
struct DayCounter: Sendable {
    /// People who are read together, and how many days of people: as much as a thread computes at once. Two such pages are at
    /// work at the same time: while the database reads one, another one is computed.
    static let peopleMax = 200
    static let peoplesDaysMax = 5000
    static let pagesMax = 2
    /// Values (of a person, data type and day) in memory at the same time, 12 bytes each; more only when one day alone
    /// has more.
    var valuesMax = 10_000_000

    /// Whose values are counted together.
    let shards: [Shard]
    let keys: SubjectKeys
    let log: Log
    let threads: BlockingPool

    /// The first local day of which anything with group statistics may be in a block.
    func firstDay(_ pass: ClosingPass) async throws -> CalendarDate? {
        let earliest = Mutex<CalendarDate?>(nil)
        for shard in shards {
            try await eachPage(of: shard) { people in
                try await pass.goOn()
                let first = try await shard.database.queryOne(
                    RollupStore.firstDay(of: people), as: CalendarDate?.self)
                // Where the clock is behind UTC, the day before it goes on.
                guard let first = (first ?? nil)?.adding(days: -1) else { return }
                earliest.withLock { $0 = min($0 ?? first, first) }
            }
        }
        return earliest.withLock { $0 }
    }

    /// Counts all people's values of days that are being closed. Returns the first days' as far as they fit; none when an earlier
    /// pass has counted some people. `told` hears which share of the people was seen.
    func count(
        _ days: ClosedRange<CalendarDate>, by pass: ClosingPass, told: @Sendable (Double) -> Void
    ) async throws -> CollectedValues {
        let values = CollectedValues(of: days, valuesMax: valuesMax)
        let countMax = max(1, min(Self.peopleMax, Self.peoplesDaysMax / days.dayCount))
        var (begun, all, seen): ([(Shard, Int32)], Int, Int) = ([], 0, 0)
        for shard in shards {
            let through = try await shard.database.queryOne(CountingStore.begin(days, by: pass.number), as: Int32.self)
            guard let through else { throw ClosingPass.Overtaken() }
            if through > CountingStore.nobody { values.removeAll() }
            begun.append((shard, through))
            let row = try await shard.database.queryOne(
                CountingStore.people(through: through), as: Int.self, Int.self)
            (all, seen) = (all + (row?.0 ?? 0), seen + (row?.1 ?? 0))
        }
        for (shard, through) in begun where through < CountingStore.everybody {
            let underWay = PagesUnderWay()
            try await eachPage(
                of: shard, after: through, countMax: countMax,
                told: { people, last in
                    told(Double(seen) / Double(max(1, all)))
                    seen += people
                    underWay.begin(last)
                }
            ) { people in
                try await pass.goOn()
                try await shard.throttle.run {
                    try await count(people, of: shard, days, values, pass, underWay)
                }
            }
            guard
                try await shard.database.execute(
                    CountingStore.advance(through: CountingStore.everybody, by: pass.number)) == 1
            else { throw ClosingPass.Overtaken() }
        }
        return values
    }

    private func count(
        _ people: [RollupStore.Person], of shard: Shard, _ days: ClosedRange<CalendarDate>, _ values: CollectedValues,
        _ pass: ClosingPass, _ underWay: PagesUnderWay
    ) async throws {
        guard let last = people.last?.number else { return }
        let wanted = CountedDay.blockDays(of: days)
        let rows = try await shard.database.query(
            RollupStore.summaries(of: people, days: wanted), as: RollupStore.Summary.self)
        let known = try await keys.unwrappedKeys(of: Set(people.map(\.account)))
        let page = try await threads.run {
            let page = RollupPage(counting: rows, of: people, known, days)
            values.add(page.published)
            return page
        }
        try page.check()
        let numbers = people.map(\.number)
        let isKept = try await shard.database.transaction { transaction in
            let advance = CountingStore.advance(through: underWay.through(last), by: pass.number)
            guard try await transaction.execute(advance) == 1 else { return false }
            for statement in CountingStore.keep(page.kept, of: numbers, days) {
                try transaction.beforeCommit(statement)
            }
            return true
        }
        guard isKept else { throw ClosingPass.Overtaken() }
        underWay.end(last)
        for (person, error) in page.failures { report(person, error) }
    }

    /// Everybody's values of days as they were counted: of the first ones, as far as they fit. `goOn` is called at each page.
    func kept(
        _ days: ClosedRange<CalendarDate>, _ goOn: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> CollectedValues {
        let values = CollectedValues(of: days, valuesMax: valuesMax)
        for shard in shards {
            try await eachPage(of: shard) { people in
                try await goOn()
                let page = try await shard.throttle.run { try await kept(of: people, of: shard, days, values) }
                try page.check()
                for (person, error) in page.failures { report(person, error) }
            }
        }
        return values
    }

    private func kept(
        of people: [RollupStore.Person], of shard: Shard, _ days: ClosedRange<CalendarDate>, _ values: CollectedValues
    ) async throws -> RollupPage {
        let rows = try await shard.database.query(
            CountingStore.values(of: people.map(\.number), days), as: CountingStore.DayValue.self)
        let known = try await keys.unwrappedKeys(of: Set(people.map(\.account)))
        return try await threads.run {
            let page = RollupPage(opening: rows, of: people, known)
            values.add(page.published)
            return page
        }
    }

    /// Goes through the people of a shard with a subject number, some at a time. `told` hears of each page, how many
    /// it has and the last one's number, in order.
    private func eachPage(
        of shard: Shard, after through: Int32 = CountingStore.nobody, countMax: Int = peopleMax,
        told: (Int, Int32) -> Void = { _, _ in },
        _ work: @escaping @Sendable ([RollupStore.Person]) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { pages in
            var (running, last) = (0, through)
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
                told(people.count, end)
                pages.addTask { try await work(people) }
                running += 1
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

/// Pages of people at work at the same time, which end in any order: through whom all people are done.
final class PagesUnderWay: Sendable {
    private struct Page {
        let last: Int32
        var isDone = false
    }

    /// In the order of people.
    private let pages = Mutex<[Page]>([])

    /// A page ends with the person `last`; after all others.
    func begin(_ last: Int32) { pages.withLock { $0.append(Page(last: last)) } }

    /// The person through whom all are done once that page is, or `nil` while an earlier one is at work.
    func through(_ last: Int32) -> Int32? {
        pages.withLock { pages in
            guard pages.first?.last == last else { return nil }
            return pages.dropFirst().prefix(while: \.isDone).last?.last ?? last
        }
    }

    func end(_ last: Int32) {
        pages.withLock { pages in
            for index in pages.indices where pages[index].last == last { pages[index].isDone = true }
            pages.removeFirst(pages.prefix(while: \.isDone).count)
        }
    }
}

extension ClosedRange<CalendarDate> {
    var dayCount: Int { Int(upperBound.daysSinceEpoch - lowerBound.daysSinceEpoch) + 1 }
}
