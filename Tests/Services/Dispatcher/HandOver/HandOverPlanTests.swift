import Primitives
import Testing

@testable import Dispatcher

@Suite struct HandOverPlanTests {
    typealias Step = HandOverPlan.Step

    private func plan(_ hooks: [String] = ["a", "b"], begun: Bool = true) -> HandOverPlan {
        var state = HandOverState(notBefore: start)
        if begun, let first = hooks.first { state.legs = [.init(hook: first, begunAt: start)] }
        return HandOverPlan(state, hooks: hooks, times: HandOverTimes())
    }

    /// Lets the plan run to `end` seconds, carrying out what it says; hooks never answer.
    private func run(
        _ plan: inout HandOverPlan, from begin: Double = 0, through end: Double
    ) -> [(second: Double, step: Step)] {
        var log: [(Double, Step)] = []
        var now = begin
        while now <= end {
            for step in plan.due(at: time(now), jitter: { 1 }) {
                log.append((now, step))
                if case .begin(let hook) = step { plan.begun(hook, at: time(now)) }
            }
            now += 0.25
        }
        return log
    }

    private func attempts(_ log: [(second: Double, step: Step)], _ hook: String) -> [Double] {
        log.compactMap { if case .attempt(hook, _) = $0.step { $0.second } else { nil } }
    }

    @Test("SOS-07: attempts come at 0, 0.5, 1, 2, 4, 8 s and then every 15 s, for ever, without waiting for answers")
    func schedule() {
        var plan = plan(["a"])
        let log = run(&plan, through: 100)
        #expect(attempts(log, "a") == [0, 0.5, 1, 2, 4, 8, 23, 38, 53, 68, 83, 98])
        let late = run(&plan, from: 86_400, through: 86_400)
        #expect(attempts(late, "a").count == 1)
    }

    @Test("SOS-13: without a receipt in 15 s the next hook is begun and the operator alarmed; the first is tried on")
    func noReceipt() {
        var plan = plan()
        let log = run(&plan, through: 40)
        #expect(log.contains { $0.second == 15 && $0.step == .alarmOperator(.noReceipt) })
        #expect(log.contains { $0.second == 15 && $0.step == .begin(hook: "b") })
        #expect(attempts(log, "b").prefix(3).allSatisfy { $0 >= 15 && $0 <= 16.25 })
        #expect(attempts(log, "a").contains { $0 > 16 })
        #expect(log.contains { $0.step == .alarmOperator(.exhausted) })
    }

    @Test("SOS-13: a receipt is not an acceptance: after 90 s the next hook is begun")
    func noAcceptance() {
        var plan = plan()
        _ = run(&plan, through: 0)
        plan.state.legs[0].receivedAt = time(1)
        plan.state.legs[0].receivedSequence = 1
        let log = run(&plan, from: 1, through: 95)
        #expect(attempts(log, "a").isEmpty)
        #expect(log.first { $0.step == .begin(hook: "b") }?.second == 90)
        #expect(log.contains { $0.step == .alarmOperator(.noAcceptance) })
    }

    @Test("SOS-13: a rejection escalates at once, and the rejecting hook is left alone")
    func rejection() {
        var plan = plan()
        _ = run(&plan, through: 2)
        plan.state.legs[0].rejectedAt = time(2)
        let log = run(&plan, from: 2.25, through: 60)
        #expect(log.first?.step == .alarmOperator(.rejected))
        #expect(log.first { $0.step == .begin(hook: "b") }?.second == 2.25)
        #expect(attempts(log, "a").isEmpty && attempts(log, "b").first == 2.5)
    }

    @Test("SOS-07: the loser gets a cancellation until it has it, the winner does not; then nothing is left")
    func acceptance() {
        var plan = plan()
        _ = run(&plan, through: 16)
        plan.state.acceptedBy = "b"
        plan.state.loserSequence = 2
        plan.state.legs[1].receivedAt = time(16)
        plan.state.legs[1].receivedSequence = 1
        let log = run(&plan, from: 17, through: 20)
        #expect(log.allSatisfy { $0.step == .attempt(hook: "a", sequence: 2) } && log.count == 4)
        plan.state.legs[0].receivedAt = time(20)
        plan.state.legs[0].receivedSequence = 2
        #expect(plan.due(at: time(21)) == [.settle])
    }

    @Test("SOS-08: in the abort window nothing is sent")
    func abortWindow() {
        var state = HandOverState(notBefore: time(30))
        state.revision = 1
        var plan = HandOverPlan(state, hooks: ["a"], times: HandOverTimes())
        #expect(plan.due(at: time(29.9)).isEmpty)
        #expect(plan.wakeAt == time(30))
        #expect(plan.due(at: time(30)) == [.begin(hook: "a")])
    }

    @Test("SOS-08: after a false alarm all that were called are told, and those that were not are not")
    func falseAlarm() {
        var plan = plan(["a", "b"])
        _ = run(&plan, through: 2)
        plan.state.cancelSequence = 2
        plan.state.isClosed = true
        let log = run(&plan, from: 3, through: 30)
        #expect(!log.isEmpty && log.allSatisfy { $0.step == .attempt(hook: "a", sequence: 2) })
        plan.state.legs[0].receivedSequence = 2
        #expect(plan.due(at: time(31)) == [.settle])
    }

    @Test("SOS-07: a cancellation that nobody takes is given up after an hour, with a word to the operator")
    func cancellationGivenUp() {
        var plan = plan(["a"])
        _ = run(&plan, through: 2)
        plan.state.cancelSequence = 2
        plan.state.isClosed = true
        let log = run(&plan, from: 3, through: 3700)
        #expect(
            log.suffix(2).first?.step == .giveUpCancellation(hook: "a")
                || log.contains { $0.step == .giveUpCancellation(hook: "a") })
        #expect(log.last?.step == .settle)
    }

    @Test("SOS-07: an update is sent at once to whoever has the alert")
    func update() {
        var plan = plan(["a"])
        _ = run(&plan, through: 0)
        plan.state.legs[0].receivedAt = time(0)
        plan.state.legs[0].receivedSequence = 1
        #expect(plan.due(at: time(1)).isEmpty)
        plan.state.alertSequence = 2
        #expect(plan.due(at: time(5)) == [.attempt(hook: "a", sequence: 2)])
    }

    @Test("SOS-13: without hooks the operator is alarmed, once, and a hook that appears is called")
    func noHooks() {
        var plan = plan([])
        #expect(plan.due(at: time(0)) == [.alarmOperator(.noHooks)])
        #expect(plan.due(at: time(1)).isEmpty)
        plan.hooks = ["a"]
        #expect(plan.due(at: time(2)) == [.begin(hook: "a")])
    }

    @Test("SOS-12: a test call ends when it is received")
    func exercise() {
        var plan = plan(["a"])
        plan.state.isExercise = true
        #expect(plan.due(at: time(0)) == [.attempt(hook: "a", sequence: 1)])
        plan.state.legs[0].receivedAt = time(0.1)
        plan.state.legs[0].receivedSequence = 1
        #expect(plan.due(at: time(0.2)) == [.finishExercise])
    }

    @Test("SOS-07: it always knows when to look again, so nothing waits for what never comes")
    func wakes() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            var plan = plan(["a", "b", "c"])
            var now = 0.0
            for _ in 0..<100 {
                for step in plan.due(at: time(now), jitter: { 1 }) {
                    if case .begin(let hook) = step { plan.begun(hook, at: time(now)) }
                    if case .attempt(let hook, let sequence) = step, Int.random(in: 0..<8, using: &random) == 0,
                        let index = plan.state.legs.firstIndex(where: { $0.hook == hook })
                    {
                        plan.state.legs[index].receivedAt = time(now)
                        plan.state.legs[index].receivedSequence = sequence
                    }
                }
                guard plan.due(at: time(now), jitter: { 1 }).isEmpty else { continue }
                let allReceived = plan.state.legs.allSatisfy { $0.receivedAt != nil } && plan.state.legs.count == 3
                guard let wake = plan.wakeAt else {
                    #expect(allReceived)
                    break
                }
                #expect(wake > time(now) - .milliseconds(1))
                now = max(now + 0.001, Double((wake - start).microseconds) / 1_000_000)
            }
        }
    }
}
