import Primitives
import SeededRandom
import Testing

@testable import Dispatcher

/// What is due when nothing new happens.
@Suite struct IncidentDueTests {
    typealias Action = Incident.Action

    /// An incident with the clock that drives it; hooks never answer unless the test says so.
    private struct Run {
        var incident: Incident
        var hooks: [String]
        var calls = CallSchedule()
        var times = HandOverTimes()

        init(_ hooks: [String] = ["a", "b"], begun: Bool = true, incident: Incident = Incident()) {
            self.hooks = hooks
            self.incident = incident
            if begun, let first = hooks.first { apply(.handOverBegun(first), at: 0) }
        }

        mutating func apply(_ event: IncidentEvent, at second: Double) {
            _ = incident.apply(event, at: age(second))
        }

        /// What is due at once, carried out.
        mutating func due(at second: Double) -> [Action] {
            let due = incident.due(at: age(second), hooks: hooks, times: times, calls: &calls, jitter: { 1 })
            for action in due {
                switch action {
                case .begin(let hook): apply(.handOverBegun(hook), at: second)
                case .alarmOperator(let alarm, let hook): apply(.operatorAlarmed(alarm, hook: hook), at: second)
                case .giveUpWithdrawal(let hook): apply(.withdrawalGivenUp(hook), at: second)
                case .remind: apply(.seen("reminder"), at: second)
                case .end: apply(.timeIsUp, at: second)
                case .call: break
                }
            }
            return due
        }

        mutating func run(from begin: Double = 0, through end: Double) -> [(second: Double, action: Action)] {
            var log: [(Double, Action)] = []
            var now = begin
            while now <= end {
                for action in due(at: now) { log.append((now, action)) }
                now += 0.25
            }
            return log
        }
    }

    private func calls(_ log: [(second: Double, action: Action)], _ hook: String) -> [Double] {
        log.compactMap { entry in
            if case .call(let called, _) = entry.action, called == hook { entry.second } else { nil }
        }
    }

    @Test(
        "SOS-13a SOS-12a: a rejection holds for what was known then: who did so before a press is called anew, when there is nobody else",
        arguments: [IncidentEvent.calledByHand, .emergency(cause: "oxygen-saturation")])
    func rejectedBefore(_ event: IncidentEvent) {
        var run = Run()
        run.apply(.received("a", number: 1), at: 1)
        run.apply(.rejected("a", .init(id: "a", sentAt: time(10))), at: 10)
        _ = run.due(at: 10)
        // Without a receipt, too, it has what it was called with.
        run.apply(.rejected("b", .init(id: "b", sentAt: time(12))), at: 12)
        #expect(run.due(at: 12) == [.alarmOperator(.exhausted, hook: "b")] && run.incident.isRefused)
        run.apply(event, at: 15)
        #expect(run.due(at: 15) == [.alarmOperator(.rejected, hook: "b"), .begin(hook: "a")])
        // By a message of its own: whoever has received the one that tells of it is not called anew by that.
        let number = run.incident.reportNumber
        #expect(number > run.incident.emergencyNumber && run.incident.handOver(to: "a")?.firstNumber == number)
        #expect(run.due(at: 15) == [.call(hook: "a", number: number)] && !run.incident.isRefused)
        // One after the other, as always.
        run.apply(.received("a", number: number), at: 16)
        #expect(run.run(from: 16, through: 104).isEmpty)
        #expect(run.due(at: 105) == [.alarmOperator(.noAcceptance, hook: "a"), .begin(hook: "b")])
        // And once for each emergency; what is written late of the calls before changes nothing.
        for hook in ["a", "b"] { run.apply(.rejected(hook, .init(id: "again", sentAt: time(110))), at: 110) }
        #expect(run.due(at: 110) == [.alarmOperator(.exhausted, hook: "b")])
        for hook in ["a", "b"] { run.apply(.handOverBegun(hook), at: 14) }
        #expect(run.run(from: 110, through: 300).isEmpty && run.incident.isRefused)
    }

    @Test(
        "SOS-13a: what was rejected on one side, and is written after a press of the other, was rejected without knowing of that"
    )
    func rejectedApart() {
        var run = Run(begun: false)
        run.apply(.calledByHand, at: 15)
        for event: IncidentEvent in [.handOverBegun("a"), .received("a", number: 1), .rejected("a")] {
            run.apply(event, at: 5)
        }
        #expect(run.due(at: 20).contains(.begin(hook: "b")))
        run.apply(.rejected("b"), at: 25)
        #expect(run.due(at: 25).contains(.begin(hook: "a")))
    }

    @Test(
        "SOS-13a: the last of them rejects it after a press, of which those before did not know; who has handed back is asked, too"
    )
    func rejectedAroundPress() {
        func call(_ id: String, _ second: Double) -> Incident.CallBack { .init(id: id, sentAt: time(second)) }
        var run = Run()
        run.apply(.accepted("a", call("yes", 5)), at: 5)
        run.apply(.rejected("a", call("no", 10)), at: 10)
        #expect(run.due(at: 10).contains(.begin(hook: "b")))
        run.apply(.calledByHand, at: 40)
        #expect(run.incident.handOver(to: "b")?.dueNumber == run.incident.emergencyNumber)
        run.apply(.received("b", number: run.incident.emergencyNumber), at: 41)
        run.apply(.rejected("b", call("no", 50)), at: 50)
        #expect(run.due(at: 50) == [.alarmOperator(.rejected, hook: "b"), .begin(hook: "a")])
        // Its outbox sends the old acceptance once more, signed anew.
        #expect(run.incident.apply(.accepted("a", call("yes", 55)), at: age(55)).verdict == .handedBack)
        #expect(
            run.incident.apply(.acceptedApart("a", call("yes", 55), at: age(55)), at: age(56)).verdict == .handedBack)
        #expect(run.incident.apply(.accepted("a", call("new", 57)), at: age(57)).verdict == .done)
        #expect(run.incident.handOver(to: "a")?.isOutstanding == true)
    }

    @Test("SOS-07d: attempts come at 0, 0.5, 1, 2, 4, 8 s and then every 15 s, for ever, without waiting for answers")
    func schedule() {
        var run = Run(["a"])
        let log = run.run(through: 100)
        #expect(calls(log, "a") == [0, 0.5, 1, 2, 4, 8, 23, 38, 53, 68, 83, 98])
        #expect(calls(run.run(from: 86_300, through: 86_300), "a").count == 1)
    }

    @Test("SOS-13b: without a receipt in 15 s the next hook is begun and the operator alarmed; the first is tried on")
    func noReceipt() {
        var run = Run()
        let log = run.run(through: 40)
        #expect(log.contains { $0.second == 15 && $0.action == .alarmOperator(.noReceipt, hook: "a") })
        #expect(log.contains { $0.second == 15 && $0.action == .begin(hook: "b") })
        #expect(calls(log, "b").prefix(3).allSatisfy { $0 >= 15 && $0 <= 16.25 })
        #expect(calls(log, "a").contains { $0 > 16 })
        #expect(log.count { $0.action == .alarmOperator(.exhausted, hook: "b") } == 1)
    }

    @Test("SOS-13: a receipt is not an acceptance: after 90 s the next hook is begun")
    func noAcceptance() {
        var run = Run()
        _ = run.run(through: 0)
        run.apply(.received("a", number: 1), at: 1)
        let log = run.run(from: 1, through: 95)
        #expect(calls(log, "a").isEmpty)
        #expect(log.first { $0.action == .begin(hook: "b") }?.second == 90)
        #expect(log.contains { $0.action == .alarmOperator(.noAcceptance, hook: "a") })
    }

    @Test("SOS-13a: a rejection escalates at once, and the rejecting hook is left alone")
    func rejection() {
        var run = Run()
        _ = run.run(through: 2)
        run.apply(.rejected("a"), at: 2)
        let log = run.run(from: 2.25, through: 60)
        #expect(log.first?.action == .alarmOperator(.rejected, hook: "a"))
        #expect(log.first { $0.action == .begin(hook: "b") }?.second == 2.25)
        #expect(calls(log, "a").isEmpty && calls(log, "b").first == 2.5)
    }

    @Test("SOS-07: the loser gets a cancellation until it has it, the winner does not; then nothing is left")
    func acceptance() {
        var run = Run()
        _ = run.run(through: 16)
        run.apply(.identified(isNews: false), at: 16)
        run.apply(.accepted("b"), at: 16)
        let log = run.run(from: 17, through: 20)
        #expect(log.allSatisfy { $0.action == .call(hook: "a", number: 16_000) } && log.count == 4)
        run.apply(.received("a", number: 16_000), at: 20)
        #expect(run.due(at: 21).isEmpty && !run.incident.hasWork)
    }

    @Test("SOS-05c SOS-08d: in the abort window nothing is sent")
    func abortWindow() {
        var run = Run(["a"], begun: false, incident: Incident(abortWindow: .seconds(30)))
        #expect(run.due(at: 29.9).isEmpty)
        #expect(run.incident.wakeAt(hooks: ["a"], times: run.times, calls: run.calls) == age(30))
        #expect(run.due(at: 30) == [.begin(hook: "a")])
    }

    @Test("SOS-07: a cancellation that nobody takes is given up after an hour, with a word to the operator")
    func cancellationGivenUp() {
        var run = Run(["a"])
        _ = run.run(through: 2)
        run.apply(.calledOff, at: 2)
        let log = run.run(from: 3, through: 3700)
        #expect(
            log.allSatisfy { $0.action == .call(hook: "a", number: 2000) || $0.action == .giveUpWithdrawal(hook: "a") })
        #expect(log.count { $0.action == .giveUpWithdrawal(hook: "a") } == 1)
        #expect(!run.incident.hasWork)
    }

    @Test("SOS-07: an update is sent at once to whoever has the alert")
    func update() {
        var run = Run(["a"])
        _ = run.run(through: 0)
        run.apply(.received("a", number: 1), at: 0)
        #expect(run.due(at: 1).isEmpty)
        run.apply(.emergency(cause: "heart-rate"), at: 5)
        #expect(run.due(at: 5) == [.call(hook: "a", number: 5000)])
    }

    @Test("SOS-13: without hooks the operator is alarmed, once, and a hook that appears is called")
    func noHooks() {
        var run = Run([])
        #expect(run.due(at: 0) == [.alarmOperator(.noHooks, hook: nil)])
        #expect(run.due(at: 1).isEmpty)
        run.hooks = ["a"]
        #expect(run.due(at: 2) == [.begin(hook: "a")])
    }

    @Test(
        "SOS-13: when all have rejected it, a hook that is configured then is called, and the operator hears of it once"
    )
    func rejectedByAll() {
        var run = Run(["a"])
        run.apply(.rejected("a"), at: 1)
        #expect(run.due(at: 1) == [.alarmOperator(.exhausted, hook: "a")])
        #expect(run.due(at: 2).isEmpty)
        run.hooks = ["a", "b"]
        #expect(run.due(at: 3) == [.begin(hook: "b")])
    }

    @Test(
        "SOS-07: what all have had and nobody accepts ends a day after its last emergency, not while it is unreceived")
    func forgotten() {
        var run = Run(["a"])
        #expect(run.incident.endsAt(run.times) == nil)
        run.apply(.received("a", number: 1), at: 1)
        #expect(run.incident.endsAt(run.times) == age(86_400))
        run.apply(.seen("position"), at: 3600)
        run.apply(.received("a", number: 3_600_000), at: 3600)
        #expect(run.incident.endsAt(run.times) == age(86_400))
        #expect(run.due(at: 86_400) == [.end])
        #expect(run.incident.outcome == .unanswered)
    }

    @Test(
        "SOS-07d: when all have it and none accepts, it is sent again to those that did not reject it, later less often"
    )
    func reminders() {
        var run = Run()
        run.apply(.received("a", number: 1), at: 1)
        run.apply(.handOverBegun("b"), at: 90)
        run.apply(.received("b", number: 1), at: 91)
        run.apply(.rejected("b"), at: 95)
        var sent: [Double] = []
        var now = 96.0
        while now < 20_000 {
            for action in run.due(at: now) {
                guard case .call(let hook, let number) = action else { continue }
                #expect(hook == "a")
                sent.append(now)
                run.apply(.received("a", number: number), at: now)
            }
            now += 0.5
        }
        #expect(sent.first.map { (180...181).contains($0) } == true)
        let pauses = zip(sent, sent.dropFirst()).map { $1 - $0 }
        #expect(pauses.prefix(10).allSatisfy { (119...122).contains($0) })
        #expect(pauses.suffix(10).allSatisfy { (899...902).contains($0) })
        // Who accepts is reminded of nothing, and a test call reminds nobody.
        run.apply(.accepted("a"), at: now)
        #expect(run.incident.remindsAt(hooks: run.hooks, run.times) == nil)
        var exercise = Run(["a"], incident: Incident(isExercise: true))
        exercise.apply(.attemptFailed("a", reason: "http-500"), at: 1)
        #expect(exercise.incident.remindsAt(hooks: ["a"], exercise.times) == nil)
    }

    @Test("SOS-07: it always knows when to look again, so nothing waits for what never comes")
    func wakes() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            var run = Run(["a", "b", "c"])
            var now = 0.0
            for _ in 0..<100 {
                for action in run.due(at: now) {
                    if case .call(let hook, let number) = action, Int.random(in: 0..<8, using: &random) == 0 {
                        run.apply(.received(hook, number: number), at: now)
                    }
                }
                guard run.due(at: now).isEmpty else { continue }
                let wake = run.incident.wakeAt(hooks: run.hooks, times: run.times, calls: run.calls)
                guard let wake else {
                    #expect(!run.incident.hasWork)
                    break
                }
                #expect(wake >= age(now))
                now = max(now + 0.001, Double(wake.milliseconds) / 1000)
            }
        }
    }
}
