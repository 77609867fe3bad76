import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Track4Run

/// A snapshot of consents holds, whatever was known before: a primary may have been lost with what it had said.
@Suite struct ConsentSnapshotTests {
    private let path = Paths.path([(90, 2000)])

    @Test("RUN-08 NFR-04: an acceptance that the promoted query service does not know of is none, whatever its version")
    func pendingAgain() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: path)
            try await service.consentSnapshot([
                (service.change(.pending, runners[0], run: run), 1),
                (service.change(.accepted, runners[1], run: run), 2),
            ])
            #expect(try await service.watched() == [runners[1]])
            // The version that was given out before is given out again, for something else.
            try await service.consent(.refused, runners[0], run: run, version: 2)
            #expect(try await service.watched() == [runners[1]])
            service.clock.advance(by: .seconds(603))
            try await service.tick()
            #expect(try await service.list().runs.map(\.participants) == [1])
        }
    }

    @Test("RUN-08 NFR-04: who accepts again after the promotion takes part, also when the run has started")
    func acceptedAgain() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: path)
            service.clock.advance(by: .seconds(603))
            try await service.tick()
            try await service.consentSnapshot([
                (service.change(.pending, runners[0], run: run), 1),
                (service.change(.accepted, runners[1], run: run), 2),
            ])
            #expect(try await service.list().runs.map(\.participants) == [1])
            #expect(service.parts.live.all.first?.contains(runners[0]) == false)
            try await service.consent(.accepted, runners[0], run: run, version: 2)
            #expect(try await service.list().runs.map(\.participants) == [2])
            #expect(try await service.watched() == Set(runners))
        }
    }

    @Test("RUN-08 NFR-04: a check-in that is not known there any more is none, and is asked for anew")
    func forgotten() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: path)
            try await service.consentSnapshot([(service.change(.accepted, runners[1], run: run), 2)])
            #expect(try await service.watched() == [runners[1]])
            let asked = try await service.database.query(
                "select asked_at is not null from enrolment order by bib", as: Bool.self)
            #expect(asked == [false, true])
            try await service.tick()
            try await service.consent(.accepted, runners[0], run: run, version: 2)
            #expect(try await service.watched() == Set(runners))
        }
    }

    @Test("RUN-08 RUN-11: a snapshot undoes nothing that holds: who left has left, who has ended stays in the ranking")
    func nothingUndone() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(3, path: path)
            service.clock.advance(by: .seconds(603))
            try await service.tick()
            _ = try await service.call(.delete, "/runs/\(run)/enrolments", as: runners[0])
            try await service.consentSnapshot([
                (service.change(.accepted, runners[0], run: run), 2),
                (service.change(.accepted, runners[1], run: run, types: [.position]), 1),
                (service.change(.ended, runners[2], run: run), 3),
            ])
            let rows = try await service.database.query(
                "select state, shares_heart_rate from enrolment order by bib", as: Enrolment.State.self, Bool.self)
            #expect(rows.map(\.0) == [.left, .checkedIn, .checkedIn])
            #expect(rows.map(\.1) == [true, false, true])
        }
    }

    @Test("RUN-09: who searches for runners without finding any is stopped after a while")
    func searchLimit() async throws {
        try await Track4RunTest.with { service in
            let (run, runners) = try await service.checkedIn(2, path: path)
            service.neighbours.email(runners[1], "anna@example.org")
            service.clock.advance(by: .seconds(610))
            func search(_ email: String, from host: String = "2001:db8::1") async throws -> HTTPStatus {
                try await service.call(
                    .post, "/runs/\(run)/runner-search", body: #"{"email": "\#(email)"}"#, from: host
                ).status
            }
            for _ in 0..<40 { #expect(try await search("anna@example.org") == .ok) }
            // Whichever address of its network a client uses.
            for index in 0..<ParticipantRoutes.missesMax {
                let host = "2001:db8::\(index)"
                #expect(try await search("a\(index)@example.org", from: host) == .notFound)
            }
            #expect(try await search("b@example.org") == .tooManyRequests)
            #expect(try await search("anna@example.org") == .tooManyRequests)
            #expect(try await search("anna@example.org", from: "192.0.2.1") == .ok)
            // A proxy on this machine is all spectators.
            for _ in 0...ParticipantRoutes.missesMax {
                #expect(try await search("c@example.org", from: "127.0.0.1") == .notFound)
            }
            service.clock.advance(by: .seconds(3600))
            #expect(try await search("anna@example.org") == .ok)
        }
    }
}
