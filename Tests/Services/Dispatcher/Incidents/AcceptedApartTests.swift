import JSON
import Primitives
import SeededRandom
import Testing

@testable import Dispatcher

/// Two ambulance services were told that they have an incident, by processes that did not know of each other.
@Suite struct AcceptedApartTests {
    private func incident(_ hooks: [String]) -> Incident {
        var incident = Incident()
        for hook in hooks { _ = incident.apply(.handOverBegun(hook), at: .zero) }
        return incident
    }

    private func due(_ incident: Incident, _ hook: String) -> Incident.Message? {
        incident.handOver(to: hook)?.dueNumber.flatMap(incident.message)
    }

    @Test("SOS-07c: whoever accepted earlier stands, whichever is heard of first; the other gets a cancellation")
    func earlierStands() {
        for isFirstKnown in [true, false] {
            var incident = incident(["a", "b"])
            let events: [IncidentEvent] = [.acceptedApart("a", at: age(10)), .acceptedApart("b", at: age(12))]
            for event in isFirstKnown ? events : events.reversed() { _ = incident.apply(event, at: age(60)) }
            #expect(incident.acceptedBy == "a" && incident.acceptedAt == age(10))
            #expect(due(incident, "b")?.kind == .cancel && due(incident, "b")?.reason == .acceptedByAnother)
            #expect(incident.handOver(to: "b")?.isOutstanding == true)
            #expect(due(incident, "a")?.kind == .report)
            // A cancellation of the later one may be on its way to it.
            #expect(incident.handOver(to: "a")?.isOutstanding == !isFirstKnown)
        }
    }

    @Test("SOS-07c: at the same moment the first name stands, on both sides")
    func sameMoment() {
        for hooks in [["a", "b"], ["b", "a"]] {
            var incident = incident(["a", "b"])
            for hook in hooks { _ = incident.apply(.acceptedApart(hook, at: age(10)), at: age(60)) }
            #expect(incident.acceptedBy == "a")
            #expect(due(incident, "b")?.kind == .cancel)
        }
    }

    @Test("SOS-07c: a service that had its cancellation before it was told that it comes gets another one")
    func cancelledAnew() throws {
        var incident = incident(["a", "b"])
        _ = incident.apply(.accepted("a"), at: age(10))
        let first = try #require(incident.handOver(to: "b")?.dueNumber)
        _ = incident.apply(.received("b", number: first), at: age(11))
        #expect(incident.handOver(to: "b")?.isOutstanding == false)
        let settled = incident.apply(.acceptedApart("b", at: age(20)), at: age(60))
        #expect(settled.verdict == .acceptedByAnother && incident.acceptedBy == "a")
        #expect(incident.handOver(to: "b")?.isOutstanding == true && due(incident, "b")?.kind == .cancel)
        // Applied twice is once.
        let again = try #require(incident.handOver(to: "b")?.dueNumber)
        #expect(again > first)
    }

    @Test("SOS-07c: whose acceptance stands although it was told that it need not come, hears after that that it comes")
    func comesAfterAll() throws {
        // The other one was later.
        var apart = incident(["a", "b"])
        _ = apart.apply(.accepted("b"), at: age(10))
        try receiveDue("a", of: &apart)
        _ = apart.apply(.acceptedApart("a", at: age(9)), at: age(60))
        // The other one handed it back, and this one answers the first alert.
        var late = incident(["a", "b"])
        _ = late.apply(.accepted("b"), at: age(10))
        try receiveDue("a", of: &late)
        _ = late.apply(.rejected("b"), at: age(20))
        _ = late.apply(.accepted("a"), at: age(60))
        for incident in [apart, late] {
            let handOver = try #require(incident.handOver(to: "a"))
            #expect(incident.acceptedBy == "a" && due(incident, "a")?.kind == .report)
            #expect(handOver.isOutstanding && handOver.receivedNumber == 10_000)
        }
    }

    @Test(
        "SOS-07c: who gave way to an acceptance that is handed back comes, unless it has heard that it need not, or cannot"
    )
    func givenWay() throws {
        var incident = incident(["a", "b"])
        _ = incident.apply(.accepted("b"), at: age(10))
        _ = incident.apply(.acceptedApart("a", at: age(9)), at: age(60))
        var (told, unable) = (incident, incident)
        _ = incident.apply(.rejected("a"), at: age(61))
        #expect(incident.acceptedBy == "b" && incident.stage == .accepted && incident.acceptedAt == age(10))
        // Its cancellation may be on its way.
        #expect(due(incident, "b")?.kind == .report && incident.handOver(to: "b")?.isOutstanding == true)
        try receiveDue("b", of: &told)
        #expect(unable.apply(.rejected("b"), at: age(60)).verdict == .acceptedByAnother)
        for var other in [told, unable] {
            _ = other.apply(.rejected("a"), at: age(61))
            #expect(other.stage == .unaccepted && other.acceptedBy == nil)
        }
    }

    private func receiveDue(_ hook: String, of incident: inout Incident) throws {
        let number = try #require(incident.handOver(to: hook)?.dueNumber)
        _ = incident.apply(.received(hook, number: number), at: incident.changedAt)
    }

    @Test(
        "SOS-08c SOS-07c: who was told that it comes after a false alarm, or after the end, gets a cancellation that says why"
    )
    func afterTheEnd() {
        var alarm = incident(["a"])
        _ = alarm.apply(.calledOff, at: age(5))
        _ = alarm.apply(.acceptedApart("a", at: age(6)), at: age(60))
        #expect(alarm.stage == .closed && due(alarm, "a")?.reason == .falseAlarm)
        var suppressed = incident([])
        _ = suppressed.apply(.calledOff, at: age(1))
        _ = suppressed.apply(.acceptedApart("a", at: age(6)), at: age(60))
        #expect(suppressed.outcome == .falseAlarm && due(suppressed, "a")?.reason == .falseAlarm)
        var resolved = incident(["a", "b"])
        _ = resolved.apply(.accepted("a"), at: age(5))
        _ = resolved.apply(.resolved("a"), at: age(50))
        _ = resolved.apply(.acceptedApart("b", at: age(6)), at: age(60))
        #expect(resolved.outcome == .resolved && due(resolved, "b")?.reason == .acceptedByAnother)
    }

    @Test(
        "SOS-08c SOS-07c: who was told that it need not come, and is called anew by somebody who did not know, hears once more that it need not"
    )
    func calledAnew() throws {
        for isReceived in [true, false] {
            var incident = incident(["a", "b"])
            _ = incident.apply(.accepted("a"), at: age(10))
            try receiveDue("b", of: &incident)
            _ = incident.apply(.rejected("a"), at: age(20))
            let report = incident.report.number
            _ = incident.apply(.calledOff, at: age(21))
            #expect(incident.handOver(to: "b")?.isOutstanding == false)
            // Whoever has called it may not know whether it has received that, or when it was called.
            let called: [IncidentEvent] = isReceived ? [.received("b", number: report)] : [.handOverBegun("b")]
            for _ in 0..<2 {
                for event in called { _ = incident.apply(event, at: age(22)) }
                #expect(due(incident, "b")?.kind == .cancel && due(incident, "b")?.reason == .falseAlarm)
                #expect(incident.handOver(to: "b")?.isOutstanding == true)
            }
            let number = incident.lastNumber
            try receiveDue("b", of: &incident)
            // Applied once more it changes nothing.
            for event in called { _ = incident.apply(event, at: age(22)) }
            #expect(incident.handOver(to: "b")?.isOutstanding == false && incident.lastNumber == number)
        }
    }

    @Test("SOS-07c: alone it is an acceptance like any other, and the age at which it was told stays")
    func alone() {
        var incident = incident(["a", "b"])
        let settled = incident.apply(.acceptedApart("a", at: age(10)), at: age(60))
        #expect(settled.verdict == .done && settled.notices == [.accepted(by: "a")])
        #expect(incident.acceptedAt == age(10) && due(incident, "b")?.kind == .cancel)
        #expect(incident.apply(.acceptedApart("a", at: age(10)), at: age(61)).verdict == .repeated)
    }

    @Test("SOS-13: accepted apart by a clock that was set back by a day, it does not end by its time")
    func clockSetBack() {
        let times = HandOverTimes()
        var incident = incident(["a", "b"])
        _ = incident.apply(.acceptedApart("a", at: .zero + .seconds(-86_400)), at: age(60))
        #expect(incident.stage == .accepted && incident.endsAt(times) == .zero + times.acceptedMax)
    }

    @Test(
        "SOS-07c SOS-13a: an acceptance that was answered nowhere, sent again and refused, does not count when it is written after all"
    )
    func refusedElsewhere() {
        func call(_ id: String) -> Incident.CallBack { .init(id: id, sentAt: time(9)) }
        var incident = incident(["a", "b"])
        _ = incident.apply(.accepted("b", call("b")), at: age(11))
        #expect(incident.apply(.accepted("a", call("a")), at: age(12)).verdict == .acceptedByAnother)
        let late = incident.apply(.acceptedApart("a", call("a"), at: age(10)), at: age(60))
        #expect(late.verdict == .acceptedByAnother && incident.acceptedBy == "b")
        #expect(due(incident, "a")?.kind == .cancel && due(incident, "a")?.madeAt == age(60))
        // Nor when nobody has it by then.
        var handedBack = self.incident(["a", "b"])
        _ = handedBack.apply(.accepted("b", call("b")), at: age(11))
        _ = handedBack.apply(.accepted("a", call("a")), at: age(12))
        _ = handedBack.apply(.rejected("b", call("no")), at: age(20))
        #expect(
            handedBack.apply(.acceptedApart("a", call("a"), at: age(10)), at: age(60)).verdict == .acceptedByAnother)
        #expect(handedBack.stage == .unaccepted)
        // Of another one it was told that it counts; and what is decided after the refusal is new.
        #expect(incident.apply(.acceptedApart("a", call("c"), at: age(10)), at: age(61)).verdict == .done)
        #expect(incident.acceptedBy == "a" && !incident.isSaidAnew(.accepted("a", call("c"))))
        #expect(incident.isSaidAnew(.accepted("a", call("d"))))
        #expect(incident.apply(.rejected("a", call("e")), at: age(62)).verdict == .done)
        #expect(!incident.isSaidAnew(.rejected("a", call("e"))) && incident.isSaidAnew(.rejected("a", call("f"))))
    }

    @Test(
        "SOS-07c SOS-13a: an acceptance that the database refuses, whose answer is lost, counts when it was answered apart that it does"
    )
    func refusalLost() {
        let call = Incident.CallBack(id: "a", sentAt: time(9), attempt: .random())
        for (attempt, counts) in [(call.attempt, true), (.random(), false), (nil, false)] {
            var incident = incident(["a", "b"])
            _ = incident.apply(.accepted("b", .init(id: "b", sentAt: time(9))), at: age(10))
            let refused = incident.apply(.accepted("a", call), at: age(13))
            #expect(refused.verdict == .acceptedByAnother)
            _ = incident.apply(.rejected("b", .init(id: "no", sentAt: time(20))), at: age(20))
            // By a clock that is behind the database's.
            var answered = call
            answered.attempt = attempt
            let settled = incident.apply(.acceptedApart("a", answered, at: age(11)), at: age(60))
            #expect(settled.verdict == (counts ? .done : .acceptedByAnother))
            #expect(incident.acceptedBy == (counts ? "a" : nil))
        }
        // It shows that the other one was first, and stays, by whatever clock; not that a third one was.
        for isThird in [false, true] {
            var incident = incident(["a", "b", "c"])
            _ = incident.apply(.accepted("b", .init(id: "b", sentAt: time(9))), at: age(12))
            _ = incident.apply(.accepted("a", call), at: age(13))
            if isThird {
                _ = incident.apply(.rejected("b", .init(id: "no", sentAt: time(20))), at: age(20))
                _ = incident.apply(.accepted("c", .init(id: "c", sentAt: time(21))), at: age(21))
            }
            let settled = incident.apply(.acceptedApart("a", call, at: age(11)), at: age(60))
            #expect(settled.verdict == (isThird ? .done : .acceptedByAnother))
            #expect(incident.acceptedBy == (isThird ? "a" : "b"))
            #expect(due(incident, isThird ? "c" : "a")?.kind == .cancel)
        }
    }

    @Test(
        "SOS-07c SOS-13a: a refusal that was told stays when the acceptance is refused once more, and nobody hears of that"
    )
    func toldBeforeLost() {
        func call(_ attempt: UUID) -> Incident.CallBack { .init(id: "a", sentAt: time(9), attempt: attempt) }
        let lost = UUID.random()
        var incident = incident(["a", "b"])
        _ = incident.apply(.accepted("b", .init(id: "b", sentAt: time(9))), at: age(10))
        for (attempt, second) in [(UUID.random(), 12.0), (lost, 13)] {
            #expect(incident.apply(.accepted("a", call(attempt)), at: age(second)).verdict == .acceptedByAnother)
        }
        _ = incident.apply(.rejected("b", .init(id: "no", sentAt: time(20))), at: age(20))
        let settled = incident.apply(.acceptedApart("a", call(lost), at: age(11)), at: age(60))
        #expect(settled.verdict == .acceptedByAnother && incident.stage == .unaccepted)
    }

    @Test(
        "SOS-07c SOS-13a: who accepts apart, and says where that is not known that it does not come, is not counted on"
    )
    func declinedElsewhere() {
        func call(_ id: String, _ second: Double) -> Incident.CallBack { .init(id: id, sentAt: time(second)) }
        for isDeclined in [true, false] {
            var incident = incident(["a", "b"])
            _ = incident.apply(.accepted("b", call("b", 9)), at: age(11))
            let second = isDeclined ? 20.0 : 5
            #expect(incident.apply(.rejected("a", call("no", second)), at: age(20)).verdict == .acceptedByAnother)
            let late = incident.apply(.acceptedApart("a", call("yes", 10), at: age(10)), at: age(60))
            #expect(late.verdict == (isDeclined ? .outdated : .done))
            #expect(incident.acceptedBy == (isDeclined ? "b" : "a"))
        }
    }

    @Test("SOS-07c: in any order of the same acceptances the same service comes, and no other believes that it does")
    func anyOrder() {
        var random = SeededGenerator(seed: 23)
        let hooks = ["a", "b", "c"]
        for _ in 0..<300 {
            var events = hooks.map { hook in
                IncidentEvent.acceptedApart(hook, at: age(Double(Int.random(in: 0..<4, using: &random))))
            }
            events.shuffle(using: &random)
            var winners: Set<String?> = []
            for order in [events, events.reversed()] {
                var incident = incident(Array(hooks.prefix(Int.random(in: 0...3, using: &random))))
                for event in order { _ = incident.apply(event, at: age(60)) }
                winners.insert(incident.acceptedBy)
                for handOver in incident.handOvers where handOver.hook != incident.acceptedBy {
                    #expect(handOver.isOutstanding && incident.message(handOver.dueNumber ?? 0)?.kind == .cancel)
                }
            }
            #expect(winners.count == 1)
        }
    }

    @Test(
        "SOS-07b SOS-08c: numbers that were given out apart stand for nothing else afterwards: what is due is told anew, with newer ones"
    )
    func rejoined() throws {
        // Here the wearer has called it off. Elsewhere an update was made after that, and the service has received it.
        var incident = incident(["a", "b"])
        _ = incident.apply(.calledOff, at: age(5))
        for hook in ["a", "b"] { #expect(due(incident, hook)?.number == 5000) }
        _ = incident.apply(.received("a", number: 8000), at: age(7))
        #expect(incident.handOver(to: "a")?.isOutstanding == false)
        _ = incident.apply(.rejoined(numbers: 8000), at: age(7))
        for hook in ["a", "b"] {
            #expect(incident.handOver(to: hook)?.isOutstanding == true)
            #expect(due(incident, hook)?.number == 8001 && due(incident, hook)?.reason == .falseAlarm)
        }
        var open = self.incident(["a"])
        _ = open.apply(.received("a", number: 3000), at: age(5))
        _ = open.apply(.rejoined(numbers: 3000), at: age(60))
        #expect(due(open, "a") == open.report && open.report.number == 60_000)
        _ = open.apply(.seen("position"), at: age(60))
        #expect(open.report.number == 60_001)
    }

    @Test(
        "SOS-07c SOS-13a: who was told not to come is called after a hand-back, also where its cancellation was made anew since; it is no acceptance of before"
    )
    func rejoinedAfterHandBack() {
        for isKnown in [true, false] {
            var incident = incident(["a", "b", "c"])
            for hook in ["a", "b", "c"] { _ = incident.apply(.received(hook, number: 1), at: age(1)) }
            _ = incident.apply(.accepted("c"), at: age(5))
            _ = incident.apply(.acceptedApart("a", at: age(6)), at: age(6))
            for hook in ["a", "b"] {
                guard let number = due(incident, hook)?.number, isKnown || hook == "b" else { continue }
                _ = incident.apply(.received(hook, number: number), at: age(7))
            }
            if isKnown { _ = incident.apply(.rejoined(numbers: 9000), at: age(8)) }
            _ = incident.apply(.rejected("c"), at: age(10))
            #expect(incident.acceptedBy == (isKnown ? nil : "a"))
            guard isKnown else { continue }
            _ = incident.apply(.rejoined(numbers: 20_000), at: age(11))
            _ = incident.apply(.handOverBegun("b"), at: age(12))
            #expect(incident.handOver(to: "b")?.isOutstanding == true && due(incident, "b")?.kind == .report)
        }
    }

    @Test(
        "SOS-07b: sides that know nothing of each other number what they tell differently, the later one higher; the same event the same"
    )
    func numbers() throws {
        var (here, there) = (incident(["a"]), incident(["a"]))
        _ = here.apply(.seen("position"), at: age(5))
        _ = there.apply(.seen("vitals"), at: age(4.9))
        _ = there.apply(.calledOff, at: age(6))
        let (update, cancellation) = (try #require(due(here, "a")), try #require(due(there, "a")))
        #expect(update.kind == .report && cancellation.kind == .cancel && cancellation.number > update.number)
        // Written later, among what the other side has written.
        var settled = incident(["a"])
        _ = settled.apply(.seen("vitals"), at: age(4.9))
        _ = settled.apply(.seen("position"), at: age(5))
        #expect(due(settled, "a") == update)
        _ = settled.apply(.seen("vitals"), at: age(5))
        #expect(due(settled, "a")?.number == update.number + 1)
    }

    @Test("SOS-08b SOS-05a: a false alarm, or an end, that was told before the last emergency ends nothing")
    func endedBefore() {
        let emergency = IncidentEvent.emergency(cause: "heart-rate", id: watch)
        for end in [IncidentEvent.calledOff, .calledOffByDevice, .resolved("a")] {
            for late in [emergency, .calledByHand] {
                var incident = incident(["a"])
                _ = incident.apply(.accepted("a"), at: age(2))
                _ = incident.apply(late, at: age(20))
                #expect(incident.apply(end, at: age(10)).verdict == .outdated && incident.stage == .accepted)
                #expect(incident.apply(end, at: age(21)).verdict == .done && incident.stage == .closed)
            }
            // One that was found apart, and again when its samples were read: the end was told in between.
            var (read, pressed) = (incident(["a"]), incident(["a"]))
            _ = read.apply(.accepted("a"), at: age(2))
            #expect(read.apply(emergency, at: age(61)).verdict == .done)
            #expect(read.apply(emergency, at: age(20)).verdict == .repeated)
            #expect(read.apply(end, at: age(30)).verdict == .done && read.stage == .closed)
            // Not a press that came after it.
            _ = pressed.apply(.accepted("a"), at: age(2))
            _ = pressed.apply(emergency, at: age(61))
            _ = pressed.apply(.calledByHand, at: age(60))
            _ = pressed.apply(emergency, at: age(20))
            #expect(pressed.apply(end, at: age(30)).verdict == .outdated)
            // The other side has written more meanwhile.
            var written = incident(["a"])
            _ = written.apply(.accepted("a"), at: age(35))
            _ = written.apply(emergency, at: age(20))
            #expect(written.apply(end, at: age(30)).verdict == .done && written.stage == .closed)
        }
    }

    @Test("SOS-12a SOS-08b: a press of which nobody is told again outlives what was said before it as any other")
    func pressedOften() {
        var incident = incident(["a"])
        _ = incident.apply(.calledByHand, at: age(5))
        let number = incident.report.number
        for second in [6.0, 20, 34] { #expect(incident.apply(.calledByHand, at: age(second)).verdict == .done) }
        #expect(incident.report.number == number)
        #expect(incident.apply(.calledOff, at: age(33)).verdict == .outdated)
        _ = incident.apply(.calledByHand, at: age(36))
        #expect(incident.report.number > number)
        // Who has opened it by a press is told of the next one as late.
        var pressed = Incident(isPressed: true)
        _ = pressed.apply(.calledByHand, at: age(29))
        #expect(pressed.report.number == 1 && pressed.apply(.calledOff, at: age(28)).verdict == .outdated)
    }

    @Test(
        "SOS-07c SOS-13a: an acceptance that was answered apart after the service had handed it back elsewhere counts")
    func afterHandingBack() {
        for isBefore in [true, false] {
            var incident = incident(["a", "b"])
            _ = incident.apply(.accepted("a"), at: age(10))
            _ = incident.apply(.rejected("a"), at: age(20))
            let verdict = incident.apply(.acceptedApart("a", at: age(isBefore ? 15 : 30)), at: age(60)).verdict
            #expect(verdict == (isBefore ? .handedBack : .done))
            #expect(incident.acceptedBy == (isBefore ? nil : "a"))
        }
    }

    @Test("SOS-08b SOS-07c: who accepts apart what has ended is told so, also who had accepted it before")
    func acceptedBeyondTheEnd() throws {
        var incident = incident(["a"])
        _ = incident.apply(.accepted("a"), at: age(10))
        _ = incident.apply(.calledOff, at: age(20))
        try receiveDue("a", of: &incident)
        #expect(incident.apply(.acceptedApart("a", at: age(12)), at: age(60)).verdict == .closed)
        #expect(incident.handOver(to: "a")?.isOutstanding == false)
        #expect(incident.apply(.acceptedApart("a", at: age(30)), at: age(60)).verdict == .closed)
        #expect(due(incident, "a")?.kind == .cancel && incident.handOver(to: "a")?.isOutstanding == true)
    }

    @Test("SOS-05d SOS-07a: an emergency that is known, and has become severe since, is told")
    func severeSince() {
        var incident = incident(["a"])
        let (whole, severe) = (watch, phone)
        #expect(incident.apply(.emergency(cause: "heart-rate", id: whole), at: age(5)).verdict == .done)
        let worse = IncidentEvent.emergency(cause: "heart-rate", id: whole, severe: severe)
        #expect(incident.apply(worse, at: age(9)).verdict == .done)
        for known in [worse, .emergency(cause: "heart-rate", id: whole), .emergency(cause: "heart-rate", id: severe)] {
            #expect(incident.apply(known, at: age(12)).verdict == .repeated)
        }
        #expect(incident.emergencies == [whole, severe])
    }

    @Test("SOS-07a: every event comes back from the journal as it was")
    func stored() throws {
        let call = Incident.CallBack(id: "x", sentAt: time(3))
        let events: [IncidentEvent] = [
            .emergency(cause: "heart-rate"), .emergency(cause: "spo2", id: watch),
            .emergency(cause: "spo2", id: watch, severe: phone), .seen("position"),
            .identified(isNews: true), .unidentifiable,
            .handOverBegun("a"), .received("a", number: 3), .attemptFailed("a", reason: "http-500"),
            .operatorAlarmed(.exhausted, hook: "a"), .operatorAlarmed(.noHooks, hook: nil), .withdrawalGivenUp("a"),
            .accepted("a", call), .accepted("a"), .acceptedApart("a", call, at: age(4)), .rejected("a", call),
            .resolved("a", call), .calledOff, .superseded(by: watch, isTold: true), .timeIsUp, .rejoined(numbers: 4),
            .callsPromised(from: age(3)), .refused("a", call), .toldOver("a"), .affirmed("a"),
            .toldNotToCome("a", .falseAlarm),
        ]
        for event in events {
            let entry = JournalEntry(event, of: watch, at: time(1))
            #expect(try JSONDecoder().decode(JournalEntry.self, from: JSONEncoder().encode(entry)) == entry)
        }
    }
}
