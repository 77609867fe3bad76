import JSON
import Primitives
import SeededRandom
import Testing

@testable import Dispatcher

/// The state machine alone: what an event makes of an incident.
@Suite struct IncidentTests {
    private func incident(_ hooks: [String] = ["a"]) -> Incident {
        var incident = Incident()
        for hook in hooks { _ = incident.apply(.handOverBegun(hook), at: .zero) }
        return incident
    }

    private func due(_ incident: Incident, _ hook: String) -> Incident.Message? {
        incident.handOver(to: hook)?.dueNumber.flatMap(incident.message)
    }

    private let later = age(60)

    @Test("SOS-07c SOS-13a: who accepts first has it; the others get a cancellation, and are refused")
    func acceptance() {
        var incident = incident(["a", "b", "c"])
        _ = incident.apply(.rejected("c"), at: later)
        let accepted = incident.apply(.accepted("b"), at: later)
        #expect(accepted.verdict == .done && accepted.notices == [.accepted(by: "b")])
        #expect(incident.stage == .accepted && incident.acceptedBy == "b")
        #expect(due(incident, "a")?.kind == .cancel && due(incident, "a")?.reason == .acceptedByAnother)
        #expect(due(incident, "b") == incident.report && incident.handOver(to: "b")?.isOutstanding == false)
        #expect(due(incident, "c") == nil)
        #expect(incident.apply(.accepted("b"), at: later).verdict == .repeated)
        #expect(incident.apply(.accepted("a"), at: later).verdict == .acceptedByAnother)
        #expect(incident.apply(.rejected("a"), at: later).verdict == .acceptedByAnother)
    }

    @Test("SOS-13: the service that came ends it, nobody else, and gets a resolved message")
    func resolution() {
        var incident = incident(["a", "b"])
        #expect(incident.apply(.resolved("a"), at: later).verdict == .notAccepted)
        _ = incident.apply(.accepted("a"), at: later)
        #expect(incident.apply(.resolved("b"), at: later).verdict == .acceptedByAnother)
        let resolved = incident.apply(.resolved("a"), at: later)
        #expect(resolved.verdict == .done && resolved.notices == [.resolved(by: "a")])
        #expect(incident.stage == .closed && incident.outcome == .resolved && incident.acceptedBy == "a")
        #expect(due(incident, "a")?.kind == .resolved && due(incident, "a")?.reason == .byService)
        #expect(due(incident, "b")?.kind == .cancel)
        #expect(incident.apply(.resolved("a"), at: later).verdict == .repeated)
        #expect(incident.apply(.calledOff, at: later).verdict == .closed)
    }

    @Test("SOS-13a SOS-07c: who accepts anew what another incident has taken the place of is told that it is over")
    func acceptedTooLate() {
        var incident = incident()
        _ = incident.apply(.accepted("a"), at: later)
        _ = incident.apply(.superseded(by: .random(), isTold: true), at: later)
        #expect(incident.apply(.accepted("a"), at: later).verdict == .closed)
    }

    @Test("SOS-13: an accepted incident ends after its time, whatever updates there were, with a resolved message")
    func expiry() {
        var times = HandOverTimes()
        times.acceptedMax = .seconds(3600)
        var incident = incident()
        _ = incident.apply(.received("a", number: 1), at: age(1))
        _ = incident.apply(.accepted("a"), at: age(10))
        _ = incident.apply(.identified(isNews: false), at: age(11))
        for minute in 1...59 { _ = incident.apply(.seen("position"), at: age(Double(minute) * 60)) }
        #expect(incident.endsAt(times) == age(3610))
        var calls = CallSchedule()
        #expect(!incident.due(at: age(3609), hooks: ["a"], times: times, calls: &calls).contains(.end))
        #expect(incident.due(at: age(3610), hooks: ["a"], times: times, calls: &calls) == [.end])
        _ = incident.apply(.timeIsUp, at: age(3610))
        #expect(incident.outcome == .expired && due(incident, "a")?.reason == .timeOver)
        #expect(incident.hasWork)
        _ = incident.apply(.received("a", number: 3_610_000), at: age(3611))
        #expect(!incident.hasWork && incident.endsAt(times) == nil)
    }

    @Test("SOS-13: a service that accepted and cannot come gives it back: the next one is called, the others anew")
    func handedBack() {
        var incident = incident(["a", "b"])
        for hook in ["a", "b"] { _ = incident.apply(.received(hook, number: 1), at: age(1)) }
        _ = incident.apply(.accepted("a"), at: age(2))
        _ = incident.apply(.received("b", number: 2000), at: age(3))
        let back = incident.apply(.rejected("a"), at: age(4))
        #expect(back.verdict == .done && back.notices == [.handedBack(by: "a")])
        #expect(incident.stage == .unaccepted && incident.acceptedBy == nil)
        // The acceptance of before, sent again by a client that was late.
        #expect(incident.apply(.accepted("a"), at: age(4)).verdict == .handedBack)
        #expect(incident.stage == .unaccepted)
        var calls = CallSchedule()
        let times = HandOverTimes()
        let due = incident.due(at: age(5), hooks: ["a", "b"], times: times, calls: &calls)
        #expect(due == [.alarmOperator(.rejected, hook: "a"), .begin(hook: "b")])
        _ = incident.apply(.handOverBegun("b"), at: age(5))
        let message = self.due(incident, "b")
        #expect(message?.kind == .report && (message?.number ?? 0) > 2)
        #expect(incident.handOver(to: "b")?.receivedAt == nil)
        #expect(incident.apply(.accepted("b"), at: age(6)).verdict == .done)
        #expect(incident.apply(.accepted("a"), at: age(7)).verdict == .acceptedByAnother)
    }

    @Test("SOS-08bc: a false alarm before any call suppresses it, afterwards all that were called are told")
    func falseAlarm() {
        var early = Incident(abortWindow: .seconds(30))
        _ = early.apply(.calledOff, at: age(3))
        #expect(early.outcome == .suppressed && !early.hasWork)
        // A call that becomes known afterwards is withdrawn.
        _ = early.apply(.handOverBegun("a"), at: age(4))
        #expect(early.outcome == .falseAlarm && due(early, "a")?.reason == .falseAlarm)
        var called = incident(["a", "b"])
        _ = called.apply(.accepted("a"), at: later)
        let closed = called.apply(.calledOff, at: later)
        #expect(closed.entries.map(\.kind) == [.falseAlarm, .closed] && called.outcome == .falseAlarm)
        #expect(due(called, "a")?.reason == .falseAlarm && due(called, "b")?.reason == .acceptedByAnother)
        #expect(called.apply(.accepted("a"), at: later).verdict == .closed)
        #expect(called.apply(.calledOff, at: later).verdict == .repeated)
    }

    @Test("SOS-06 SOS-07: a name that comes after the acceptance goes to the service that comes, and only to it")
    func lateName() {
        var incident = incident(["a", "b"])
        for hook in ["a", "b"] { _ = incident.apply(.received(hook, number: 1), at: age(1)) }
        _ = incident.apply(.accepted("a"), at: age(2))
        _ = incident.apply(.received("b", number: 2000), at: age(2))
        #expect(incident.hasWork, "the name is still sought")
        _ = incident.apply(.identified(isNews: true), at: age(3))
        #expect(due(incident, "a")?.kind == .report && incident.handOver(to: "a")?.isOutstanding == true)
        #expect(incident.handOver(to: "b")?.isOutstanding == false)
    }

    @Test(
        "SOS-07: a new emergency while it is accepted is news for the service that comes; unheard, it alarms the operator"
    )
    func emergencyWhileAccepted() {
        var incident = incident(["a", "b"])
        _ = incident.apply(.accepted("a"), at: age(2))
        _ = incident.apply(.received("b", number: 2000), at: age(2))
        _ = incident.apply(.identified(isNews: false), at: age(2))
        _ = incident.apply(.emergency(cause: "heart-rate"), at: age(300))
        #expect(incident.handOver(to: "a")?.isOutstanding == true && incident.handOver(to: "b")?.isOutstanding == false)
        let times = HandOverTimes()
        var calls = CallSchedule()
        #expect(
            incident.due(at: age(300), hooks: [], times: times, calls: &calls) == [.call(hook: "a", number: 300_000)])
        #expect(
            incident.due(at: age(315), hooks: [], times: times, calls: &calls).first
                == .alarmOperator(.updateNotReceived, hook: "a"))
        _ = incident.apply(.operatorAlarmed(.updateNotReceived, hook: "a"), at: age(315))
        #expect(
            !incident.due(at: age(400), hooks: [], times: times, calls: &calls).contains {
                if case .alarmOperator = $0 { true } else { false }
            })
    }

    @Test("SOS-05: an incident on which nobody acts any more does not swallow an emergency")
    func givingWay() {
        let times = HandOverTimes()
        func givesWay(_ incident: Incident, same: Bool = true, at second: Double) -> Bool {
            incident.givesWay(isSameEpisode: same, hooks: ["a", "b"], times: times, at: age(second))
        }
        var open = incident()
        #expect(!givesWay(open, same: false, at: 1799) && givesWay(open, at: 1800))
        _ = open.apply(.rejected("a"), at: later)
        #expect(!givesWay(open, at: 61))
        _ = open.apply(.handOverBegun("b"), at: later)
        _ = open.apply(.rejected("b"), at: later)
        #expect(givesWay(open, at: 61))

        var accepted = incident()
        _ = accepted.apply(.accepted("a"), at: age(10))
        #expect(!givesWay(accepted, at: 3000))
        #expect(!givesWay(accepted, same: false, at: 1799) && givesWay(accepted, same: false, at: 1801))
        #expect(givesWay(accepted, at: 4 * 3600 + 10))
        _ = accepted.apply(.superseded(by: watch, isTold: true), at: age(1801))
        #expect(accepted.outcome == .expired)
        #expect(due(accepted, "a")?.reason == .superseded && due(accepted, "a")?.successor == watch)
    }

    @Test("SOS-06: the service that comes hears where the person is and how; who has not accepted, for half an hour")
    func news() {
        let times = HandOverTimes()
        var incident = incident()
        func news(_ metres: Double, _ vitals: Bool, at second: Double) -> String? {
            incident.news(movedBy: metres, hasNewVitals: vitals, times: times, at: age(second))
        }
        #expect(news(100, false, at: 29) == nil && news(99, true, at: 30) == nil)
        #expect(news(100, false, at: 30) == "position" && news(100, false, at: 1800) == nil)
        _ = incident.apply(.accepted("a"), at: age(1000))
        _ = incident.apply(.seen("position"), at: age(1900))
        #expect(news(0, true, at: 1959) == nil && news(0, true, at: 1960) == "vitals")
        #expect(news(100, true, at: 1930) == "position")
        _ = incident.apply(.resolved("a"), at: age(2000))
        #expect(news(1000, true, at: 3000) == nil)
    }

    @Test("SOS-12b: a test call ends when it is received, and may be accepted as a real one")
    func exercise() {
        var incident = Incident(isExercise: true)
        _ = incident.apply(.handOverBegun("a"), at: .zero)
        _ = incident.apply(.received("a", number: 1), at: age(1))
        #expect(incident.outcome == .exercised && !incident.hasWork)
        #expect(incident.apply(.accepted("a"), at: age(2)).verdict == .done)
        #expect(incident.apply(.accepted("a"), at: age(2)).verdict == .repeated)
        #expect(incident.apply(.resolved("a"), at: age(2)).verdict == .repeated)
    }

    @Test("SOS-07: time never runs back within an incident, and it comes back from storage as it was")
    func timeAndStorage() throws {
        var incident = incident(["a", "b"])
        _ = incident.apply(.accepted("a"), at: age(100))
        _ = incident.apply(.emergency(cause: "heart-rate"), at: age(-3500))
        #expect(incident.report.madeAt == age(100) && incident.emergencyAt == age(100))
        _ = incident.apply(.operatorAlarmed(.noReceipt, hook: "a"), at: age(101))
        _ = incident.apply(.superseded(by: watch, isTold: true), at: age(102))
        #expect(try JSONDecoder().decode(Incident.self, from: JSONEncoder().encode(incident)) == incident)
    }

    @Test(
        "SOS-07: when PostgreSQL's clock is set forward, a process's own reckoning follows: no escalation waits for it")
    func clockForward() {
        let before = IncidentClock(age(5))
        var incident = incident()
        _ = incident.apply(.emergency(cause: "heart-rate"), at: age(3605))
        let clock = before.notBehind(incident)
        #expect(clock.age >= age(3605) && clock.age < age(3620))
        #expect(clock.notBehind(incident) == clock && before.notBehind(Incident()) == before)
    }

    @Test("SOS-07: in any order of events at most one service has it, and messages stay few")
    func random() {
        var random = SeededGenerator(seed: 11)
        let hooks = ["a", "b", "c"]
        for _ in 0..<500 {
            var incident = Incident()
            var winners: Set<String> = []
            for step in 0..<60 {
                let hook = hooks.randomElement(using: &random) ?? "a"
                let event: IncidentEvent =
                    switch Int.random(in: 0..<12, using: &random) {
                    case 0: .accepted(hook)
                    case 1: .rejected(hook)
                    case 2: .resolved(hook)
                    case 3: .calledOff
                    case 4: .timeIsUp
                    case 5: .emergency(cause: "heart-rate")
                    case 6, 7: .handOverBegun(hook)
                    case 8: .identified(isNews: true)
                    case 9: .seen("position")
                    default: .received(hook, number: incident.messages.randomElement(using: &random)?.number ?? 1)
                    }
                let before = incident
                let result = incident.apply(event, at: age(Double(step)))
                if case .accepted(let by, _) = event, result.verdict == .done { winners.insert(by) }
                if before.stage == .accepted, incident.stage == .accepted {
                    #expect(incident.acceptedBy == before.acceptedBy)
                }
                if before.stage == .closed { #expect(incident.stage == .closed) }
                #expect((incident.stage == .closed) == (incident.outcome != nil))
                if incident.stage == .accepted { #expect(incident.acceptedBy != nil) }
                for handOver in incident.handOvers {
                    if let number = handOver.dueNumber { #expect(incident.message(number) != nil) }
                    if incident.stage == .accepted, handOver.hook != incident.acceptedBy, handOver.dueNumber != nil {
                        #expect(handOver.isWithdrawn)
                    }
                }
                #expect(incident.messages.count <= hooks.count + 2)
                #expect(Set(incident.handOvers.map(\.hook)).count == incident.handOvers.count)
            }
        }
    }

    // MARK: Call backs that come late, or twice

    private func call(_ id: String, _ second: Int64) -> Incident.CallBack {
        .init(id: id, sentAt: time(0) + .seconds(second))
    }

    @Test("SOS-13: a rejection that comes late, or again, does not hand back what the service has accepted since")
    func oldRejection() {
        var incident = incident(["a", "b"])
        #expect(incident.apply(.rejected("a", call("one", 1)), at: later).verdict == .done)
        #expect(incident.apply(.accepted("a", call("two", 5)), at: later).verdict == .done)
        // The same one again, at a later time; and another one that was sent before the acceptance.
        #expect(incident.apply(.rejected("a", call("one", 9)), at: later).verdict == .repeated)
        #expect(incident.apply(.rejected("a", call("zero", 4)), at: later).verdict == .outdated)
        #expect(incident.stage == .accepted && incident.acceptedBy == "a")
        // A new decision counts, also of another service.
        #expect(incident.apply(.rejected("b", call("one", 2)), at: later).verdict == .acceptedByAnother)
        #expect(incident.apply(.rejected("a", call("three", 6)), at: later).verdict == .done)
        #expect(incident.stage == .unaccepted)
    }

    @Test("SOS-13: an acceptance that comes after the rejection that followed it sends nobody")
    func oldAcceptance() {
        var incident = incident()
        #expect(incident.apply(.rejected("a", call("two", 5)), at: later).verdict == .done)
        #expect(incident.apply(.accepted("a", call("one", 3)), at: later).verdict == .outdated)
        #expect(incident.stage == .unaccepted && incident.handOver(to: "a")?.rejectedAt != nil)
        #expect(incident.apply(.accepted("a", call("three", 5)), at: later).verdict == .done)
        #expect(incident.apply(.accepted("a", call("three", 6)), at: later).verdict == .repeated)
    }

    @Test("SOS-13: what a service has decided is still known when it is called anew")
    func calledAnew() {
        var incident = incident(["a", "b"])
        _ = incident.apply(.rejected("a", call("one", 1)), at: later)
        _ = incident.apply(.accepted("a", call("two", 2)), at: later)
        _ = incident.apply(.accepted("b", call("x", 3)), at: later)
        #expect(incident.handOver(to: "b")?.isWithdrawn == true)
        _ = incident.apply(.rejected("a", call("three", 4)), at: later)
        _ = incident.apply(.handOverBegun("b"), at: later)
        _ = incident.apply(.accepted("b", call("y", 9)), at: later)
        #expect(incident.apply(.rejected("b", call("z", 8)), at: later).verdict == .outdated)
        #expect(incident.acceptedBy == "b")
    }
}
