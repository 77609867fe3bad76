import Domain
import Primitives
import Security
import Synchronization
import Telemetry

/// What is counted of some people. The computing of it: no database, for worker threads.
struct RollupPage: Sendable {
    struct Published: Sendable {
        let subject: Int32
        let day: CalendarDate
        let values: PublishedDay
    }

    private(set) var published: [Published] = []
    /// The same, to be kept.
    private(set) var kept: [CountingStore.DayValue] = []
    /// People who are left out.
    private(set) var failures: [(person: Int32, error: any Error)] = []
    /// People of whom there was something to be read.
    private var read: Set<Int32> = []

    /// A key is missing in this process's ring.
    struct Unreadable: Error, CustomStringConvertible {
        let people: Int
        let of: Int
        let first: SecurityError
        var description: String {
            "of \(of) people the keys of \(people) cannot be read: is the key ring complete? The first: \(Log.text(of: first))"
        }
    }

    /// Fewer people than these hold up nobody.
    private static let unreadableMin = 5

    /// Throws when days would lack most people because this process's ring lacks a key: with that key nothing is lost. Where their
    /// keys are wrong otherwise, waiting mends nothing, and the days go without them. Errors: `Unreadable`.
    func check() throws {
        var (people, first): (Set<Int32>, SecurityError?) = ([], nil)
        for failure in failures {
            guard let error = failure.error as? SecurityError, case .unknownKey = error else { continue }
            people.insert(failure.person)
            first = first ?? error
        }
        guard let first, people.count >= Self.unreadableMin, 2 * people.count > read.count else { return }
        throw Unreadable(people: people.count, of: read.count, first: first)
    }

    /// From summaries, of days. Somebody whose summaries cannot be read is left out as a whole, and does not keep the day of
    /// all others open.
    init(
        counting rows: [RollupStore.Summary], of people: [RollupStore.Person],
        _ keys: [UUID: Result<SubjectKey, SecurityError>], _ days: ClosedRange<CalendarDate>
    ) {
        let rows = Dictionary(grouping: rows, by: \.person)
        for person in people {
            // Erased meanwhile, or nothing is stored.
            guard let key = keys[person.account], let own = rows[person.number] else { continue }
            read.insert(person.number)
            do {
                let key = try key.get()
                let context = try PersonContext(person.stored, of: person.account, key: key)
                let work = SealWork(account: person.account, key: key)
                var summaries: [DataType: [CalendarDate: DaySummary]] = [:]
                for row in own {
                    summaries[row.key.type, default: [:]][row.key.day] = try work.openSummary(row.key, row.sealed)
                }
                for (day, values) in DayValues.published(summaries, of: context, days: days) {
                    published.append(.init(subject: person.subject, day: day, values: values))
                    kept.append(
                        .init(
                            person: person.number, day: day,
                            sealed: values.sealed(with: key, of: person.account, on: day)))
                }
            } catch { failures.append((person.number, error)) }
        }
    }

    /// Of what was kept.
    init(
        opening rows: [CountingStore.DayValue], of people: [RollupStore.Person],
        _ keys: [UUID: Result<SubjectKey, SecurityError>]
    ) {
        let byNumber = Dictionary(uniqueKeysWithValues: people.map { ($0.number, $0) })
        for row in rows {
            guard let person = byNumber[row.person], let key = keys[person.account] else { continue }
            read.insert(row.person)
            do {
                let values = try PublishedDay(opening: row.sealed, with: try key.get(), of: person.account, on: row.day)
                published.append(.init(subject: person.subject, day: row.day, values: values))
            } catch { failures.append((row.person, error)) }
        }
    }
}

/// What was collected so far of all pages: the first days of those that were asked for, for which there is room.
final class CollectedValues: Sendable {
    private struct State {
        var values = DayValues()
        var count = 0
        var last: CalendarDate
    }

    private let first: CalendarDate
    private let valuesMax: Int
    private let state: Mutex<State>

    /// Keeps at most `valuesMax` values, or those of one day.
    init(of days: ClosedRange<CalendarDate>, valuesMax: Int) {
        first = days.lowerBound
        self.valuesMax = valuesMax
        state = Mutex(State(last: days.upperBound))
    }

    /// The last day that is collected; it may become an earlier one.
    var last: CalendarDate { state.withLock { $0.last } }

    /// Removes and returns a day's.
    func take(_ day: CalendarDate) -> DayValues { state.withLock { $0.values.take(day) } }

    /// From now on no day is collected.
    func removeAll() { state.withLock { $0 = State(last: first.adding(days: -1)) } }

    func add(_ published: [RollupPage.Published]) {
        state.withLock { state in
            for entry in published where entry.day <= state.last {
                state.values.add(entry.values, on: entry.day, subject: entry.subject)
                state.count += entry.values.values.count
            }
            while state.count > valuesMax, state.last > first {
                state.count -= state.values.count(on: state.last)
                state.values.remove(state.last)
                state.last = state.last.adding(days: -1)
            }
        }
    }
}
