import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct KeyReplacementTests {
    private let path = Paths.path([(90, 2000)])
    private let other = Paths.path([(0, 2000)])

    private struct Ranking: Decodable {
        let final: Bool
        let placings: [Placing]
    }

    @Test("NFR-05d: all keys of people are wrapped with a new key by rotation, also halfway, and the old one can go")
    func replacement() async throws {
        let replacement = try KeyReplacement()
        try await Track4RunTest.with(keys: replacement.keys) { service in
            let (over, accounts, start) = try await service.begun(path: path)
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 700))
            service.clock.advance(by: .seconds(2 * 3600))
            try await service.tick()
            let (live, runners, begin) = try await service.begun(path: other)
            try await service.send(Samples.running(runners[0], other, from: begin, speed: 3, seconds: 100))
            // Its organiser is told when messages are handed over again.
            _ = try await service.create(try service.draft(startsIn: .seconds(3 * 86_400)))
            try await replacement.park(in: service.database, of: "track4run")
            let keys = service.parts.store.keys
            let databases = [service.database, keys.store.database]
            #expect(
                try await replacement.columns(sealedWith: .old, in: databases) == [
                    "subject_key.wrapped", "feed_parked.payload",
                ])

            try replacement.begin()
            let new = try await service.create(try service.draft(startsIn: .seconds(5 * 86_400)))
            #expect(try await service.enrol(.random(), in: new.id).status == .created)
            #expect(try await replacement.columns(sealedWith: .new, in: databases) == ["subject_key.wrapped"])
            try await replacement.rotate(try await Track4RunService.sealedColumns(service.context))
            #expect(try await replacement.columns(sealedWith: .old, in: databases) == [])
            try replacement.end()
            // As another process, which has unwrapped nothing yet.
            keys.forget(try await keys.store.database.query("select account_id from subject_key", as: UUID.self))

            for (run, isFinal) in [(over, true), (live, false)] {
                let ranking: Ranking = try await service.call(.get, "/runs/\(run)/ranking").decode()
                #expect(ranking.final == isFinal && ranking.placings.count == 1)
                let participants = try await service.call(
                    .get, "/runs/\(run)/participants", as: service.organiser, .thirdParty)
                #expect(participants.status == .ok)
            }
            #expect(try await service.call(.get, "/runs/\(new.id)").status == .ok)
            try await service.send(
                Samples.running(runners[0], other, from: begin, since: 100, speed: 3, seconds: 200))
            #expect(try await replacement.opensParked(in: service.database, of: "track4run"))
            try await service.tick()
            #expect(try await service.database.queryOne("select count(*) from notice", as: Int.self) == 0)
        }
    }
}
