import Contracts
import Domain
import Primitives
import SimulatedPeople
import SuiteClient

/// What the devices of a person measure as time passes. Only some hours of it are in memory; it is made up anew from time to time,
/// which takes a few milliseconds.
struct MeasuredDays: Sendable {
    /// What is kept of the time to come.
    private static let ahead: Duration = .seconds(3600)
    /// An illness that began so many days ago may still be there.
    private static let illnessDays = 30

    private let person: SimulatedPerson
    private let index: Int
    private let hasOneDevice: Bool
    private let backlogMax: Duration
    private var sentBefore: Timestamp
    private var span: Range<Timestamp>
    private var kept = SimulatedDay()

    /// - `index`: the number in the population.
    /// - `hasOneDevice`: a watch that measures only `SimulatedPerson.dataTypes` and knows its position.
    /// - `sentBefore`: what was measured before is stored already.
    /// - `backlogMax`: what could not be sent for longer is never sent.
    init(
        _ person: SimulatedPerson, _ index: Int, hasOneDevice: Bool, sentBefore: Timestamp, backlogMax: Duration
    ) {
        self.person = person
        self.index = index
        self.hasOneDevice = hasOneDevice
        self.sentBefore = sentBefore
        self.backlogMax = backlogMax
        span = sentBefore..<sentBefore
    }

    /// What was over before `now` and is not sent.
    mutating func measured(before now: Timestamp) -> SimulatedDay {
        let from = max(sentBefore, now - backlogMax)
        guard from < now else { return SimulatedDay() }
        if from < span.lowerBound || now > span.upperBound { look(from: from, to: now + Self.ahead) }
        return kept.during(from..<now)
    }

    /// What was over before this time is stored, or shall not be sent.
    mutating func sent(before time: Timestamp) { sentBefore = max(sentBefore, time) }

    private mutating func look(from: Timestamp, to: Timestamp) {
        let (first, last) = (ItalianTime.day(at: from), ItalianTime.day(at: to))
        let wearer = person.wearer(index, through: first.adding(days: -Self.illnessDays)...last)
        span = from..<to
        kept = SimulatedDay()
        var day = first
        while day <= last {
            let measured = wearer.day(day).during(span)
            kept.watch += measured.watch
            kept.phone += measured.phone
            day = day.adding(days: 1)
        }
        if hasOneDevice {
            kept.watch =
                kept.watch.filter { SimulatedPerson.dataTypes.contains($0.type) }
                + kept.phone.filter { $0.type == .position }
            kept.phone = []
        }
    }
}
