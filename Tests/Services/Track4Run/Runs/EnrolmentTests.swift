import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct EnrolmentTests {
    struct Enrolled: Decodable { let bib: Int }

    @Test("RUN-06ad: runners enrol, get a bib and a confirmation")
    func enrol() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create().id
            let runners = [UUID.random(), .random()]
            for (index, runner) in runners.enumerated() {
                let answer = try await service.enrol(runner, in: run)
                #expect(answer.status == .created)
                #expect(try answer.decode(Enrolled.self).bib == index + 1)
            }
            try await service.tick()
            let told = service.neighbours.notices.filter { $0.template == "run-enrolled" }
            #expect(told.map(\.accountID) == runners)
            #expect(told.map { $0.values["bib"] } == ["1", "2"])
        }
    }

    @Test("RUN-06b: refused: clauses not accepted, already enrolled, at the same time, full, too late, no such run")
    func refused() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(deadlineIn: .seconds(3600), participantsMax: 2)).id
            let runner = UUID.random()
            let path = "/runs/\(run)/enrolments"
            let clauses = try await service.call(.post, path, as: runner, body: #"{"clauses_accepted": false}"#)
            #expect(clauses.code == "clauses-not-accepted")
            let company = try await service.call(
                .post, path, as: service.organiser, .thirdParty, body: #"{"clauses_accepted": true}"#)
            #expect(company.status == .forbidden)
            #expect(try await service.enrol(runner, in: run).status == .created)
            #expect(try await service.enrol(runner, in: run).code == "already-enrolled")
            let elsewhere = Paths.path([(0, 3000)], from: Paths.start.moved(metres: 50_000, bearing: 0))
            let other = try await service.create(try service.draft(elsewhere, startsIn: .seconds(9000))).id
            #expect(try await service.enrol(runner, in: other).code == "overlapping-run")
            #expect(try await service.enrol(.random(), in: run).status == .created)
            #expect(try await service.enrol(.random(), in: run).code == "run-full")
            service.clock.advance(by: .seconds(3600))
            #expect(try await service.enrol(.random(), in: run).code == "enrolment-closed")
            #expect(try await service.enrol(.random(), in: .random()).status == .notFound)
        }
    }

    @Test("RUN-06b: nobody enrols in an own run")
    func ownRun() async throws {
        try await Track4RunTest.with { service in
            let organiser = UUID.random()
            let created = try await service.call(.post, "/runs", as: organiser, body: try service.draft())
            let run = try created.decode(Track4RunTest.Created.self).id
            #expect(try await service.enrol(organiser, in: run).code == "own-run")
        }
    }

    @Test("RUN-06b: of many at once as many get in as there are places, each with a bib of the own")
    func capacity() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(participantsMax: 5)).id
            let answers = try await withThrowingTaskGroup(of: Track4RunTest.Answer.self) { group in
                for _ in 0..<12 { group.addTask { try await service.enrol(.random(), in: run) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let bibs = try answers.filter { $0.status == .created }.map { try $0.decode(Enrolled.self).bib }
            #expect(bibs.sorted() == [1, 2, 3, 4, 5])
            #expect(answers.filter { $0.code == "run-full" }.count == 7)
        }
    }

    @Test("RUN-06b: of two overlapping runs one runner gets into one, even at once")
    func overlapAtOnce() async throws {
        try await Track4RunTest.with { service in
            let far = Paths.path([(0, 3000)], from: Paths.start.moved(metres: 50_000, bearing: 0))
            let runs = [try await service.create().id, try await service.create(try service.draft(far)).id]
            for _ in 0..<5 {
                let runner = UUID.random()
                async let first = service.enrol(runner, in: runs[0])
                async let second = service.enrol(runner, in: runs[1])
                let statuses = [try await first.status, try await second.status]
                #expect(statuses.count { $0 == .created } == 1)
                #expect(statuses.count { $0 == .conflict } == 1)
            }
        }
    }

    @Test(
        "RUN-07abc: who leaves before the start frees the place, gets a confirmation, and may come back with another bib"
    )
    func leave() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(participantsMax: 2)).id
            let runner = UUID.random()
            for account in [runner, .random()] { _ = try await service.enrol(account, in: run) }
            #expect(try await service.call(.delete, "/runs/\(run)/enrolments", as: runner).status == .noContent)
            let again = try await service.call(.delete, "/runs/\(run)/enrolments", as: runner)
            #expect(again.code == "not-enrolled")
            #expect(try await service.enrol(runner, in: run).decode(Enrolled.self).bib == 3)
            try await service.tick()
            let told = service.neighbours.notices.filter { $0.accountID == runner }.map(\.template)
            #expect(told.sorted() == ["run-enrolled", "run-enrolled", "run-left"])
        }
    }

    @Test("RUN-05c RUN-11b: a runner's enrolments come in pages, by state or of one run, with the official result")
    func own() async throws {
        try await Track4RunTest.with { service in
            let path = Paths.path([(90, 2000)])
            let (over, runners, start) = try await service.begun(path: path)
            let runner = runners[0]
            var coming: [Track4RunTest.Created] = []
            for days in [3, 2] {
                let run = try await service.create(try service.draft(startsIn: .seconds(days * 86_400)))
                _ = try await service.enrol(runner, in: run.id)
                coming.append(run)
            }
            _ = try await service.create(try service.draft(startsIn: .seconds(86_400)))
            #expect(try await service.enrolments(of: runner).map(\.run.id) == [over, coming[1].id, coming[0].id])
            try await service.send(Samples.running(runner, path, from: start, speed: 3, seconds: 700))
            service.clock.advance(by: .seconds(700))
            for _ in 0..<2 {
                try await service.tick()
                service.clock.advance(by: .seconds(60))
            }
            let current = try await service.call(.get, "/me/enrolments?state=current&limit=1", as: runner)
                .decode(Track4RunTest.Enrolments.self)
            #expect(current.enrolments.map(\.run.id) == [coming[1].id])
            let next = try #require(current.next)
            let rest = try await service.enrolments(of: runner, "?state=current&limit=1&cursor=\(next)")
            #expect(rest.map(\.run.id) == [coming[0].id] && rest[0].placing == nil)
            let past = try await service.enrolments(of: runner, "?state=past")
            #expect(past.map(\.run.id) == [over] && past.map(\.placing?.place) == [1])
            #expect(past.map(\.placing?.state) == [.finished])
            let one = coming[0]
            for name in [one.id.description, one.code.lowercased()] {
                #expect(try await service.enrolments(of: runner, "?run=\(name)").map(\.run.id) == [one.id])
            }
            #expect(try await service.enrolments(of: .random(), "?run=\(one.code)").isEmpty)
            #expect(try await service.enrolments(of: runner, "?run=\(UUID.random())").isEmpty)
            let odd = try await service.call(.get, "/me/enrolments?run=odd", as: runner)
            #expect(odd.status == .unprocessableContent)
        }
    }

    @Test("NFR-05d: names of runners are not readable where they are stored")
    func sealed() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create().id
            let runner = UUID.random()
            service.neighbours.name(runner, "Wilhelmina")
            _ = try await service.enrol(runner, in: run)
            let stored = try await service.database.query("select name from enrolment", as: [UInt8].self)
            #expect(!String(decoding: stored[0], as: UTF8.self).contains("Wilhelmina"))
            let notices = try await service.database.query("select content from notice", as: [UInt8].self)
            #expect(!notices.contains { String(decoding: $0, as: UTF8.self).contains("City run") })
        }
    }
}
