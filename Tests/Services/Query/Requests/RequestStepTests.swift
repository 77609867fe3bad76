import Contracts
import Domain
import HTTP
import Primitives
import Testing

@testable import Query

@Suite struct RequestStepTests {
    static let now = Timestamp("2026-07-01T12:00:00Z")!

    static func request(
        _ state: ConsentRequest.State, run: UUID? = nil, mode: ConsentRequest.Mode = .subscription,
        to end: Timestamp = now + .seconds(86_400)
    ) -> ConsentRequest {
        var request = ConsentRequest(
            id: .random(), requesterID: .random(), individualID: .random(), runID: run, mode: mode,
            types: [.position, .heartRate], from: now - .seconds(60), to: end, reason: "why",
            requesterName: "Acme", named: "somebody", createdAt: now - .seconds(10), lapsesAt: now + .seconds(100))
        request.state = state
        return request
    }

    static let steps: [RequestStep] = [.accept(types: nil), .refuse, .lapse, .withdraw, .end]
    static let states: [ConsentRequest.State] = [.pending, .accepted, .refused, .lapsed, .withdrawn, .ended]

    static func outcome(_ step: RequestStep, _ state: ConsentRequest.State) -> ConsentRequest.State? {
        switch (step, state) {
        case (.accept, .pending): .accepted
        case (.refuse, .pending): .refused
        case (.lapse, .pending): .lapsed
        case (.end, .pending), (.end, .accepted): .ended
        case (.withdraw, .accepted): .withdrawn
        default: nil
        }
    }

    @Test("REQ-05cd REQ-10: every step from every state leads where it must or is refused", arguments: steps, states)
    func allSteps(step: RequestStep, state: ConsentRequest.State) throws {
        let request = Self.request(state)
        guard let expected = Self.outcome(step, state) else {
            let problem = #expect(throws: Problem.self) {
                try step.apply(to: request, at: Self.now, settings: RequestSettings())
            }
            #expect(problem?.status == .conflict)
            return
        }
        let next = try step.apply(to: request, at: Self.now, settings: RequestSettings())
        #expect(next.state == expected)
        #expect(next.version == request.version + 1)
        #expect((next.closedAt == nil) == (expected == .accepted))
        if state == .pending { #expect(next.decidedAt == Self.now) }
    }

    @Test("REQ-06a: what has lapsed can no longer be accepted or refused, even before it is closed")
    func lapsed() {
        let request = Self.request(.pending)
        for step in [RequestStep.accept(types: nil), .refuse] {
            let problem = #expect(throws: Problem.self) {
                try step.apply(to: request, at: request.lapsesAt, settings: RequestSettings())
            }
            #expect(problem?.code == "request-decided")
        }
    }

    @Test("REQ-05a: a part of the types can be accepted, but nothing else, nothing twice and not nothing")
    func parts() throws {
        let request = Self.request(.pending)
        let part = try RequestStep.accept(types: [.heartRate]).apply(
            to: request, at: Self.now, settings: RequestSettings())
        #expect(part.acceptedTypes == [.heartRate])
        for types in [[], [DataType.steps], [.heartRate, .steps], [.heartRate, .heartRate]] {
            let problem = #expect(throws: Problem.self) {
                try RequestStep.accept(types: types).apply(to: request, at: Self.now, settings: RequestSettings())
            }
            #expect(problem?.code == "types-not-requested")
        }
    }

    @Test("RUN-08c: a check-in cannot leave the position out")
    func position() throws {
        let request = Self.request(.pending, run: .random())
        let problem = #expect(throws: Problem.self) {
            try RequestStep.accept(types: [.heartRate]).apply(to: request, at: Self.now, settings: RequestSettings())
        }
        #expect(problem?.code == "position-required")
        let accepted = try RequestStep.accept(types: [.position]).apply(
            to: request, at: Self.now, settings: RequestSettings())
        #expect(accepted.acceptedTypes == [.position])
    }

    @Test("REQ-08c: what is late can be fetched for a time after the end, also when the acceptance comes after it")
    func grace() throws {
        var settings = RequestSettings()
        settings.lateAccess = .seconds(7 * 86_400)
        settings.onceAccess = .seconds(86_400)
        var request = Self.request(.pending)
        func accessUntil(at now: Timestamp) throws -> Timestamp? {
            try RequestStep.accept(types: nil).apply(to: request, at: now, settings: settings).accessUntil
        }
        #expect(try accessUntil(at: Self.now) == request.to + settings.lateAccess)
        request = Self.request(.pending, to: Self.now + .seconds(50))
        let late = Self.now + .seconds(90)
        #expect(try accessUntil(at: late) == late + settings.lateAccess)
        request = Self.request(.pending, mode: .once, to: Self.now)
        #expect(try accessUntil(at: late) == late + settings.onceAccess)
        // What a check-in shares goes through the run's feed, until the run ends.
        request = Self.request(.pending, run: .random())
        #expect(try accessUntil(at: Self.now) == request.to)
    }
}
