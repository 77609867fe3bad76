import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct KeyReplacementTests {
    @Test("NFR-05d: all keys of people are wrapped with a new key by rotation, also halfway, and the old one can go")
    func replacement() async throws {
        let replacement = try KeyReplacement()
        try await World.with(keys: replacement.keys) { world in
            let kept = try await world.asCompany(.post, "/requests", World.draft, key: "one")
            let first = try #require(kept["id"]?.text.flatMap { UUID($0) })
            _ = try await world.service.rpc(as: "track4run").call(
                Query.RequestCheckIn.self,
                world.checkIn())
            try await replacement.park(in: world.statistics, of: "query")
            let databases = [world.service.database, world.statistics, world.keyDatabase]
            #expect(
                try await replacement.columns(sealedWith: .old, in: databases) == [
                    "subject_key.wrapped", "feed_parked.payload", "idempotency.answer",
                ])

            try replacement.begin()
            let other = world.neighbours.addCompany("Salus S.r.l.")
            let second = try await world.ask(company: other)
            try await replacement.rotate(try await QueryService.sealedColumns(world.service.context))
            #expect(try await replacement.columns(sealedWith: .old, in: databases) == [])
            try replacement.end()
            // As another process, which has unwrapped nothing yet.
            let accounts = try await world.keyDatabase.query("select account_id from subject_key", as: UUID.self)
            #expect(try await world.keys.existingKeys(of: accounts).count == accounts.count)

            for (id, company) in [(first, world.company), (second, other)] {
                let request = try await world.asCompany(.get, "/requests/\(id)", company: company)
                #expect(request["reason"]?.text == "Study of the heart")
            }
            let log = try await world.asPerson(.get, "/me/access-log")["accesses"]?.items ?? []
            #expect(Set(log.compactMap { $0["requester_name"]?.text }) == ["Acme S.p.A.", "Salus S.r.l."])
            let again = try await world.asCompany(.post, "/requests", World.draft, key: "one")
            #expect(again.body == kept.body)
            #expect(try await replacement.opensParked(in: world.statistics, of: "query"))
        }
    }
}
