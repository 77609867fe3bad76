import Primitives
import Testing

@testable import Dispatcher

/// What contacts are told of an incident, and when.
@Suite struct ContactTellingTests {
    private let times = ContactTimes()

    /// An incident whose first hook is called at once, with what the contacts are told of it.
    private struct Run {
        var incident: Incident
        var telling = ContactTelling()

        init(_ incident: Incident = Incident(), begun: Bool = true) {
            self.incident = incident
            if begun { apply(.handOverBegun("a"), at: 0) }
        }

        mutating func apply(_ event: IncidentEvent, at second: Double) { _ = incident.apply(event, at: age(second)) }

        mutating func news(at second: Double) -> [ContactNews] {
            telling.follow(incident, at: age(second), ContactTimes())
        }
    }

    @Test(
        "SOS-09b: Contacts are told once an ambulance service has the incident, or a while after it was called; never before"
    )
    func ambulanceFirst() {
        var run = Run()
        #expect(run.news(at: 0).isEmpty && run.news(at: 1.9).isEmpty)
        #expect(run.telling.wakeAt(run.incident, times) == age(2))
        #expect(run.news(at: 2) == [.emergency])
        #expect(run.news(at: 3).isEmpty)

        var quick = Run()
        quick.apply(.received("a", number: 1), at: 0.1)
        #expect(quick.news(at: 0.1) == [.emergency])

        var late = Run()
        late.apply(.accepted("a"), at: 0.2)
        #expect(late.news(at: 0.2) == [.emergency, .accepted(by: "a")])
    }

    @Test(
        "SOS-09a: Where there is no ambulance service to call, contacts are all there is, and are told after a moment")
    func withoutHooks() {
        var run = Run(begun: false)
        #expect(run.news(at: 4.9).isEmpty)
        #expect(run.telling.wakeAt(run.incident, times) == age(5))
        #expect(run.news(at: 5) == [.emergency])
    }

    @Test("SOS-09b SOS-08d: In the abort window nobody is told, and nobody at all of what was called off in it")
    func abortWindow() {
        var run = Run(Incident(abortWindow: .seconds(30)), begun: false)
        #expect(run.news(at: 29).isEmpty)
        #expect(run.telling.wakeAt(run.incident, times) == age(35))
        run.apply(.calledOff, at: 29)
        #expect(run.news(at: 40).isEmpty && run.telling.isOver)
        #expect(run.telling.wakeAt(run.incident, times) == nil)
    }

    @Test("SOS-13e: Contacts hear who comes, who cannot come after all, and how it ended")
    func states() {
        var run = Run()
        run.apply(.received("a", number: 1), at: 1)
        #expect(run.news(at: 1) == [.emergency])
        run.apply(.accepted("a"), at: 10)
        #expect(run.news(at: 10) == [.accepted(by: "a")])
        run.apply(.rejected("a"), at: 20)
        #expect(run.news(at: 20) == [.handedBack])
        run.apply(.handOverBegun("b"), at: 20)
        run.apply(.accepted("b"), at: 30)
        #expect(run.news(at: 30) == [.accepted(by: "b")])
        run.apply(.resolved("b"), at: 4000)
        #expect(run.news(at: 4000) == [.over(.resolved)])
        #expect(run.news(at: 4001).isEmpty && run.telling.wakeAt(run.incident, times) == nil)
    }

    @Test("SOS-09a SOS-13e: When nobody accepts it for three minutes, contacts are asked to call themselves, once")
    func unanswered() {
        var run = Run()
        run.apply(.received("a", number: 1), at: 1)
        #expect(run.news(at: 1) == [.emergency])
        #expect(run.telling.wakeAt(run.incident, times) == age(180))
        #expect(run.news(at: 179).isEmpty)
        #expect(run.news(at: 180) == [.unanswered])
        #expect(run.news(at: 400).isEmpty)
    }

    @Test("SOS-09a: Who was told is told of a false alarm; who was away while it was open hears that it was")
    func ends() {
        var run = Run()
        #expect(run.news(at: 3) == [.emergency])
        run.apply(.calledOff, at: 4)
        #expect(run.news(at: 4) == [.over(.falseAlarm)])

        var missed = Run()
        missed.apply(.accepted("a"), at: 1)
        missed.apply(.resolved("a"), at: 100)
        #expect(missed.news(at: 200) == [.over(.resolved)])
    }

    @Test("SOS-12b: Of a test call no contact is told")
    func exercise() {
        var run = Run(Incident(isExercise: true))
        run.apply(.received("a", number: 1), at: 1)
        #expect(run.news(at: 100).isEmpty && run.telling.isOver)
    }
}
