import Contracts
import HTTP
import Postgres
import PostgresTesting
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct CheckInTests {
    @Test("RUN-08: 15 minutes before the start each runner is asked once, on behalf of the organiser, until the end")
    func asked() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create().id
            let runners = [UUID.random(), .random()]
            for runner in runners { _ = try await service.enrol(runner, in: run) }
            service.clock.advance(by: .seconds(7200 - 901))
            try await service.tick()
            #expect(service.neighbours.checkIns.isEmpty)
            service.clock.advance(by: .seconds(1))
            try await service.tick()
            try await service.tick()
            let asked = service.neighbours.checkIns
            #expect(Set(asked.map(\.runnerID)) == Set(runners))
            #expect(asked.count == 2 && Set(asked.map(\.id)).count == 2)
            #expect(asked[0].organiserID == service.organiser && asked[0].runName == "City run")
            #expect(asked[0].end - asked[0].start == .seconds(3600))
        }
    }

    @Test("RUN-08: who enrols when the check-in has begun is asked at once")
    func askedAtOnce() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(startsIn: .seconds(300))).id
            _ = try await service.enrol(.random(), in: run)
            try await service.tick()
            #expect(service.neighbours.checkIns.count == 1)
        }
    }

    @Test("RUN-08 NFR-03b: while the query service is down the check-in waits, and is asked for afterwards")
    func queryDown() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(startsIn: .seconds(300))).id
            _ = try await service.enrol(.random(), in: run)
            service.neighbours.setQueryDown(true)
            try await service.tick()
            #expect(service.neighbours.checkIns.isEmpty)
            service.neighbours.setQueryDown(false)
            service.clock.advance(by: .seconds(11))
            try await service.tick()
            #expect(service.neighbours.checkIns.count == 1)
        }
    }

    @Test("RUN-08bd: accepting is checking in and being watched; who has not at the start is removed and told")
    func start() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: Paths.path([(90, 2000)]))
            let late = UUID.random()
            _ = try await service.enrol(late, in: run)
            try await service.tick()
            #expect(try await service.watched() == Set(runners))
            service.clock.advance(by: .seconds(603))
            try await service.tick()
            #expect(try await service.list().runs.map(\.participants) == [2])
            let told = service.neighbours.notices.filter { $0.template == "check-in-missed" }
            #expect(told.map(\.accountID) == [late])
            #expect(service.parts.live.all.first?.runnerCount == 2)
        }
    }

    @Test("RUN-08b: an acceptance just before the start counts although it arrives after it")
    func lateNews() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(startsIn: .seconds(300))).id
            let runner = UUID.random()
            _ = try await service.enrol(runner, in: run)
            try await service.tick()
            service.clock.advance(by: .seconds(310))
            try await service.tick()
            #expect(try await service.list().runs.map(\.participants) == [0])
            try await service.consent(.accepted, runner, run: run)
            #expect(try await service.list().runs.map(\.participants) == [1])
            #expect(try await service.watched() == [runner])
        }
    }

    @Test("RUN-08: who withdraws the acceptance is out at once, and stays so when old news comes again")
    func withdrawn() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: Paths.path([(90, 2000)]))
            service.clock.advance(by: .seconds(610))
            try await service.tick()
            try await service.consent(.withdrawn, runners[0], run: run, version: 3)
            #expect(try await service.watched() == [runners[1]])
            #expect(service.parts.live.all.first?.contains(runners[0]) == false)
            try await service.consent(.accepted, runners[0], run: run, version: 2)
            #expect(try await service.watched() == [runners[1]])
            #expect(try await service.list().runs.map(\.participants) == [1])
        }
    }

    @Test("RUN-06a RUN-08: who withdraws the acceptance before the start may enrol again, and is asked anew")
    func comesBack() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(1, path: Paths.path([(90, 2000)]))
            try await service.consent(.withdrawn, runners[0], run: run, version: 3)
            #expect(try await service.list().runs.map(\.participants) == [0])
            let back = try await service.enrol(runners[0], in: run)
            #expect(try back.decode(EnrolmentTests.Enrolled.self).bib == 2)
            #expect(try await service.enrol(runners[0], in: run).code == "already-enrolled")
            #expect(try await service.list().runs.map(\.participants) == [1])
            try await service.tick()
            #expect(service.neighbours.checkIns.count == 2)
            // News of the first request no longer count.
            let old = service.neighbours.checkIns[0].id
            try await service.consentSnapshot([
                (
                    Query.ConsentChange(
                        requestID: old, individualID: runners[0], requesterID: service.organiser, runID: run,
                        state: .withdrawn, types: [], until: nil), 3
                ),
                (service.change(.accepted, runners[0], run: run), 2),
            ])
            #expect(try await service.watched() == [runners[0]])
        }
    }

    @Test("RUN-08: consents that are no check-ins, and forged ones for other requests, change nothing")
    func others() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(startsIn: .seconds(300))).id
            let runner = UUID.random()
            _ = try await service.enrol(runner, in: run)
            // Not asked yet: the request is not the one that would be.
            try await service.consent(.accepted, runner, run: run)
            #expect(try await service.watched().isEmpty)
        }
    }

    @Test(
        "RUN-12a NFR-06b: the organiser, and nobody else, gets the list of participants; each time is in the audit trail"
    )
    func participants() async throws {
        struct List: Decodable {
            struct Participant: Decodable {
                let bib: Int
                let name: String
                let state: String
            }
            let participants: [Participant]
        }
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: Paths.path([(90, 2000)]))
            _ = try await service.enrol(.random(), in: run)
            let path = "/runs/\(run)/participants"
            let list = try await service.call(.get, path, as: service.organiser, .thirdParty).decode(List.self)
            #expect(list.participants.map(\.bib) == [1, 2, 3])
            #expect(list.participants.map(\.state) == ["checked-in", "checked-in", "enrolled"])
            #expect(list.participants[0].name == "Runner 1 Rossi")
            #expect(try await service.call(.get, path, as: runners[0]).code == "not-the-organiser")
            #expect(try await service.call(.get, path).status == .unauthorized)
            let evidence = "\(path)/2/evidence"
            #expect(try await service.call(.get, evidence, as: runners[1]).status == .ok)
            #expect(try await service.call(.get, evidence, as: runners[0]).code == "not-the-organiser")
            #expect(try await service.call(.get, evidence, as: service.organiser, .thirdParty).status == .ok)
            let lines = try await service.auditLines()
            #expect(
                lines.map(\.description)
                    == ["participants", "evidence"].map { "organiser track4run.\($0) run \(run)" })
            func pseudonym(_ account: UUID) async throws -> UUID? {
                try await service.database.queryOne(
                    "select pseudonym from audit_person where account = \(account)", as: UUID.self)
            }
            let (organiser, runner) = (try await pseudonym(service.organiser), try await pseudonym(runners[1]))
            #expect(organiser != nil && lines.map(\.onBehalfOf) == [organiser, organiser])
            #expect(runner != nil && lines.map(\.pseudonym) == [nil, runner])
        }
    }

    @Test(
        "RUN-09b: who knows the exact e-mail address or fiscal code finds the runner, while it is under way; all else looks alike"
    )
    func search() async throws {
        struct Found: Decodable { let bib: Int }
        struct Ranking: Decodable { let placings: [Placing] }
        /// All of an answer but the trace, which is each request's own.
        struct Told: Decodable, Equatable {
            let type: String
            let title: String
            let status: Int
            let detail: String
            let code: String
        }
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: Paths.path([(90, 2000)]))
            service.neighbours.email(runners[1], "anna@example.org")
            service.neighbours.email(.random(), "bruno@example.org")
            let path = "/runs/\(run)/runner-search"
            let before = try await service.call(.post, path, body: #"{"email": "anna@example.org"}"#)
            #expect(before.code == "no-such-runner")
            service.clock.advance(by: .seconds(610))
            let found = try await service.call(.post, path, body: #"{"email": "anna@example.org"}"#)
            #expect(try found.decode(Found.self).bib == 2)
            service.neighbours.fiscalCode(runners[0], "RSSMRA85T10A562S")
            let other = try await service.call(.post, path, body: #"{"fiscal_code": "RSSMRA85T10A562S"}"#)
            #expect(try other.decode(Found.self).bib == 1)
            try await service.tick()
            let ranking = try await service.call(.get, "/runs/\(run)/ranking").decode(Ranking.self)
            #expect(Set(ranking.placings.map(\.bib)) == [1, 2])
            #expect(Set(ranking.placings.map(\.name)) == ["Runner 1 Rossi", "Runner 2 Rossi"])
            for email in ["bruno", "nobody"] {
                let other = try await service.call(.post, path, body: #"{"email": "\#(email)@example.org"}"#)
                #expect(try other.decode(Told.self) == before.decode(Told.self))
            }
            #expect(try await service.call(.post, path, body: "{}").status == .unprocessableContent)
            // NFR-06b: whom somebody has found, and nobody else.
            #expect(
                try await service.auditLines().map(\.description)
                    == Array(repeating: "spectator track4run.runner_search run \(run)", count: 2))
        }
    }

    @Test("RUN-07: who leaves after checking in is no longer watched")
    func leave() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: Paths.path([(90, 2000)]))
            #expect(try await service.call(.delete, "/runs/\(run)/enrolments", as: runners[0]).status == .noContent)
            #expect(try await service.watched() == [runners[1]])
        }
    }
}
