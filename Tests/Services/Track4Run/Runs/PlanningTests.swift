import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import ServiceTesting
import Testing

@testable import Track4Run

/// Plans beside other plans, and what becomes of those who are enrolled (RUN-03, RUN-06).
@Suite struct PlanningTests {
    private static let far = Paths.path([(0, 3000)], from: Paths.start.moved(metres: 50_000, bearing: 0))

    private func plan(_ draft: String, _ service: Track4RunTest) async throws -> Track4RunTest.Answer {
        try await service.call(.post, "/runs", as: service.organiser, .thirdParty, body: draft)
    }

    private func edit(_ run: UUID, _ body: String, _ service: Track4RunTest) async throws -> Track4RunTest.Answer {
        try await service.call(.patch, "/runs/\(run)", as: service.organiser, .thirdParty, body: body)
    }

    @Test("RUN-03bc: a run that is near more others than can be compared is refused, not planned unchecked")
    func tooManyNear() async throws {
        try await Track4RunTest.with(configured: { $0.neighboursMax = 2 }) { service in
            // One after the other from one place, in all directions.
            for number in 0..<4 {
                let path = Paths.path([(Double(number) * 90, 2000)])
                let answer = try await plan(
                    try service.draft(path, startsIn: .seconds(7200 * (number + 1))), service)
                #expect(answer.status == (number < 3 ? .created : .conflict))
                if number == 3 { #expect(answer.code == "too-many-runs-near") }
            }
        }
    }

    @Test("NFR-02 RUN-03c: while the paths of one plan are compared, others are not held up")
    func comparedAside() async throws {
        try await Track4RunTest.with { service in
            _ = try await service.create()
            let gate = Gate()
            let pool = service.parts.pool
            let crossing = try service.draft(Paths.path([(0, 2000)]), startsIn: .seconds(5 * 3600))
            async let held: Void = pool.run { gate.wait() }
            async let near = plan(crossing, service)
            let away = try await plan(try service.draft(Self.far), service)
            #expect(away.status == .created)
            gate.open()
            #expect(try await near.status == .created)
            try await held
        }
    }

    @Test("RUN-03: an organiser has a limited number of runs that are not over")
    func runsMax() async throws {
        try await Track4RunTest.with(configured: { $0.runsMax = 1 }) { service in
            let run = try await service.create().id
            #expect(try await plan(try service.draft(Self.far), service).code == "too-many-runs")
            let other = try await service.call(
                .post, "/runs", as: .random(), body: try service.draft(Self.far, startsIn: .seconds(86_400)))
            #expect(other.status == .created)
            _ = try await service.call(.delete, "/runs/\(run)", as: service.organiser, .thirdParty)
            #expect(try await plan(try service.draft(), service).status == .created)
        }
    }

    @Test("RUN-06ab RUN-04b: clauses that change are accepted anew, or the runner is not asked for the check-in")
    func clauses() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(more: #", "clauses": "At your own risk""#)).id
            let (faithful, silent, later) = (UUID.random(), UUID.random(), UUID.random())
            for runner in [faithful, silent] { _ = try await service.enrol(runner, in: run) }
            func accepted(_ runner: UUID) async throws -> [Bool] {
                try await service.enrolments(of: runner).map(\.clauses_accepted)
            }
            #expect(try await edit(run, #"{"clauses": "At your own risk", "name": "Run"}"#, service).status == .ok)
            #expect(try await accepted(faithful) == [true])
            #expect(try await edit(run, #"{"clauses": "Bring a doctor's certificate"}"#, service).status == .ok)
            #expect(try await accepted(faithful) == [false])
            _ = try await service.enrol(later, in: run)
            #expect(try await accepted(later) == [true])
            try await service.tick()
            let told = service.neighbours.notices.filter { $0.template == "run-clauses-changed" }
            #expect(Set(told.map(\.accountID)) == [faithful, silent])
            let refused = try await service.call(
                .post, "/runs/\(run)/enrolments", as: faithful, body: #"{"clauses_accepted": false}"#)
            #expect(refused.code == "clauses-not-accepted")
            service.clock.advance(by: .seconds(7200 - 900))
            try await service.tick()
            #expect(service.neighbours.checkIns.map(\.runnerID) == [later])
            func accept(_ clauses: String) async throws -> Track4RunTest.Answer {
                try await service.call(
                    .post, "/runs/\(run)/enrolments", as: faithful,
                    body: #"{"clauses_accepted": true, "clauses": "\#(clauses)"}"#)
            }
            #expect(try await accept("At your own risk").code == "clauses-changed")
            #expect(try await accepted(faithful) == [false])
            let again = try await accept("Bring a doctor's certificate")
            #expect(again.status == .ok)
            #expect(try again.decode(EnrolmentTests.Enrolled.self).bib == 1)
            #expect(try await service.enrol(faithful, in: run).code == "already-enrolled")
            try await service.tick()
            #expect(Set(service.neighbours.checkIns.map(\.runnerID)) == [later, faithful])
            service.clock.advance(by: .seconds(910))
            try await service.tick()
            let missed = service.neighbours.notices.filter { $0.template == "check-in-missed" }
            #expect(missed.contains { $0.accountID == silent })
        }
    }

    private func moved(_ service: Track4RunTest, by time: Duration) -> String {
        let start = service.clock.now() + time
        return #"{"start": "\#(start)", "end": "\#(start + .seconds(3600))", "enrolment_deadline": "\#(start)"}"#
    }

    @Test("RUN-06b RUN-04b: a run that moves to the time of another one ends the enrolments of those who are in both")
    func overlap() async throws {
        try await Track4RunTest.with { service in
            let first = try await service.create().id
            let second = try await service.create(try service.draft(Self.far, startsIn: .seconds(5 * 3600))).id
            let (both, one) = (UUID.random(), UUID.random())
            for run in [first, second] { _ = try await service.enrol(both, in: run) }
            _ = try await service.enrol(one, in: second)
            #expect(try await edit(second, moved(service, by: .seconds(6 * 3600)), service).status == .ok)
            #expect(try await service.list().runs.map(\.participants) == [1, 2])
            #expect(try await edit(second, moved(service, by: .seconds(9000)), service).status == .ok)
            #expect(try await service.list().runs.map(\.participants) == [1, 1])
            #expect(try await service.enrolments(of: both).map(\.run.id) == [first])
            try await service.tick()
            let told = service.neighbours.notices.filter { $0.template == "run-moved" }
            #expect(told.map(\.accountID) == [both])
            #expect(try await service.enrol(both, in: second).code == "overlapping-run")
        }
    }

    @Test("RUN-06b: nobody is in two runs at one time, though one moves while the runner enrols in the other")
    func overlapAtOnce() async throws {
        try await Track4RunTest.with { service in
            let first = try await service.create().id
            let second = try await service.create(try service.draft(Self.far, startsIn: .seconds(5 * 3600))).id
            for _ in 0..<6 {
                let runner = UUID.random()
                #expect(try await edit(second, moved(service, by: .seconds(5 * 3600)), service).status == .ok)
                _ = try await service.enrol(runner, in: second)
                async let change = edit(second, moved(service, by: .seconds(9000)), service)
                async let enrolment = service.enrol(runner, in: first)
                #expect(try await change.status == .ok)
                _ = try await enrolment
                let enrolments = try await service.database.queryOne(
                    "select count(*) from enrolment where runner_id = \(runner)", as: Int.self)
                #expect(enrolments == 1)
                for run in [first, second] {
                    _ = try await service.call(.delete, "/runs/\(run)/enrolments", as: runner)
                }
            }
        }
    }
}
