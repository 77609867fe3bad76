import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization
import Telemetry

/// When people are sealed: everybody once a day, after the UTC day of reception, and those with many arrivals as soon as
/// they have them. Where a walk is broken off, the next one passes over those who are done. Replicas may walk at the same
/// time: whoever comes second to a person finds nothing left to do.
final class SealJob: Sendable {
    /// More arrivals than these of one person are sealed at once, so that readers open few: 300 to 700, evenly spread over
    /// people. Devices send at the same rate and all begin anew when their day is sealed: with one limit for everybody all
    /// would reach it in the same minute, every day.
    static func arrivalsMax(of person: Int32) -> Int64 { 300 + Int64(person.magnitude % 401) }
    /// An upload with more samples is sealed at once, too.
    static let samplesMax = 10_000
    /// So many samples wait to be sealed at most, about a tenth of what a person may take (ING-10): if all that wait were as
    /// large as the last upload.
    static let waitingSamplesMax: Int64 = 300_000
    /// People who wait to be sealed at once; others wait for the end of the day, or their next upload.
    static let waitingMax = 10_000
    private static let pageMax = 500
    /// Of those who wait so many are taken together, so that the last of them are seldom waited for.
    private static let takenMax = 64
    /// Who cannot be sealed, or put back, is tried again after such pauses.
    private static let pause = BackOff(base: .seconds(3600), max: .seconds(86_400))

    private let sealer: Sealer
    private let throttle: Throttle
    private let log: Log
    private let waiting = Mutex<Set<Int32>>([])
    private let news = EventCounter()
    private let failing = Retries<Int32>(backOff: pause)
    private let failingCount: Gauge
    private let asideRetries = Retries<Int32>(backOff: pause)
    private let asideCount: Gauge

    init(
        sealer: Sealer, throttle: Throttle = Throttle(uploads: BusyMeter()), shard: Int = 0, observer: Observer
    ) {
        self.sealer = sealer
        self.throttle = throttle
        log = observer.log
        failingCount =
            observer.metrics.gauges(
                "trackme_ingestion_people_not_sealed",
                "People whose arrivals this process could not seal when it tried last: see the log.", labels: ["shard"])[
                String(shard)]
        asideCount =
            observer.metrics.gauges(
                "trackme_ingestion_people_set_aside",
                "People with arrivals that could not be sealed for a week and were set aside.", labels: ["shard"])[
                String(shard)]
    }

    // MARK: At once

    /// Asks for a person to be sealed soon. Waits for nothing.
    func request(_ person: Int32) {
        let isNew = waiting.withLock { $0.count < Self.waitingMax && $0.insert(person).inserted }
        if isNew { news.raise() }
    }

    /// Seals those who are asked for, until the task is cancelled.
    func sealRequested() async throws {
        while true {
            let seen = news.value
            while true {
                let people = waiting.withLock { waiting in
                    (0..<Self.takenMax).compactMap { _ in waiting.popFirst() }
                }
                guard !people.isEmpty else { break }
                await seal(people, before: .endOfTime)
            }
            _ = await news.wait(after: seen)
            try Task.checkCancellation()
        }
    }

    // MARK: By days

    /// Seals all that was received on UTC days that are over (or, with `includesToday`, until now), and drops old
    /// partitions. `told` hears how much of it is done, from 0 to 1.
    func sealDays(
        includesToday: Bool = false, told: @Sendable (Double) -> Void = { _ in }
    ) async throws {
        try await walk(includesToday, told)
        try await setAside()
        _ = try await ArrivalDays.drop(in: sealer.database)
        try await putBack()
    }

    /// Who cannot be sealed for days does not keep everybody's arrivals here.
    private func setAside() async throws {
        let database = sealer.database
        let (days, now) = try await ArrivalDays.list(in: database)
        for day in days where day.end + Sealer.setAsideAfter <= now {
            let people = try await ArrivalDays.unsealed(
                on: day, countMax: Sealer.setAsidePeopleMax + 1, in: database)
            guard people.count <= Sealer.setAsidePeopleMax else {
                return log.error(
                    "more people cannot be sealed than have faults of their own: nothing is dropped",
                    ["day": .string(day.day.description)])
            }
            for person in people {
                var count = 0
                // At the end everything is sealed or aside.
                while case let more = try await sealer.setAside(person, before: day.end), more > 0 {
                    count += more
                    await seal([person], before: day.end, evenIfResting: true)
                }
                log.error(
                    "arrivals that could not be sealed for days are set aside",
                    ["person": .integer(Int64(person)), "arrivals": .integer(Int64(count))])
            }
        }
    }

    /// What was set aside and can be sealed by now, since its cause is gone.
    private func putBack() async throws {
        let people = try await sealer.database.query(
            SetAsideStore.people(except: asideRetries.resting), as: Int32.self)
        for person in people {
            asideRetries.begin(person)
            var count = 0
            do { count = try await throttle.run { try await sealer.putBack(person) } } catch {
                guard Self.isOfThePerson(error) else {
                    asideRetries.succeeded(person)
                    throw error
                }
            }
            guard count > 0 else { continue }
            asideRetries.succeeded(person)
            log.info(
                "arrivals that were set aside are put back",
                ["person": .integer(Int64(person)), "arrivals": .integer(Int64(count))])
            await seal([person], before: .endOfTime, evenIfResting: true)
        }
        let left = try await sealer.database.queryOne(SetAsideStore.count, as: Int.self) ?? 0
        asideCount.set(Double(left))
    }

    /// Whether what is kept of one person is the reason, and not a database or the end of the process.
    private static func isOfThePerson(_ error: any Error) -> Bool {
        switch error {
        case let error as TransactionError: isOfThePerson(error.underlying)
        case let error as PostgresError: error.isOfOneRow
        case is IOError, is CancellationError: false
        default: true
        }
    }

    private func walk(_ includesToday: Bool, _ told: @Sendable (Double) -> Void) async throws {
        let database = sealer.database
        let (days, now) = try await ArrivalDays.list(in: database)
        let due = days.filter { includesToday || $0.end <= now }
        // Tomorrow's partition is there, and empty but for a clock that was set back.
        let begun = max(1, due.count { $0.day.startUTC <= now })
        let numbers = try await database.queryOne("select max(number) from person", as: Int32?.self) ?? nil
        func tell(days: Double) { told(min(1, days / Double(begun))) }
        for (index, day) in due.enumerated() {
            var last = Int32.min
            while true {
                try Task.checkCancellation()
                let people = try await database.query(
                    ArrivalDays.people(on: day, after: last, countMax: Self.pageMax), as: Int32.self, Bool.self)
                guard let end = people.last?.0 else { break }
                last = end
                await seal(people.filter(\.1).map(\.0), before: includesToday ? .endOfTime : day.end)
                tell(days: Double(index) + min(1, Double(end) / Double(numbers ?? end)))
            }
            tell(days: Double(index + 1))
        }
    }

    /// Seals all of a person that waits; one who cannot be sealed is reported.
    func seal(_ person: Int32) async { await seal([person], before: .endOfTime, evenIfResting: true) }

    /// One person who cannot be sealed delays nobody else, is reported once, and rests for a while unless `evenIfResting`.
    private func seal(_ people: [Int32], before end: Timestamp, evenIfResting: Bool = false) async {
        let resting = evenIfResting ? [] : Set(failing.resting)
        await withTaskGroup(of: Void.self) { group in
            for (index, person) in people.filter({ !resting.contains($0) }).enumerated() {
                if index >= Sealer.togetherMax { await group.next() }
                group.addTask {
                    do {
                        try await self.throttle.run { try await self.sealer.seal(person, before: end) }
                        self.failing.succeeded(person)
                    } catch { self.report(error, person) }
                }
            }
        }
        failingCount.set(Double(failing.count))
    }

    private func report(_ error: any Error, _ person: Int32) {
        if Task.isCancelled { return }
        let isKnown = failing.failures(of: person) > 0
        if Self.isOfThePerson(error) { failing.begin(person) }
        guard !isKnown else { return }
        log.error(
            "a person's arrivals could not be sealed",
            ["person": .integer(Int64(person)), "error": Log.text(of: error)])
    }
}
