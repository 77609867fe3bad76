import Contracts
import Domain
import HTTP
import JSON
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct ExportTests {
    private func paths(_ world: World, _ params: Exports.Params) async throws -> [String: Int] {
        let caller = world.service.rpc(as: "accounts")
        return try await ExportPages.all { after in
            var params = params
            params.after = after
            return try await caller.call(Query.Export.self, params)
        }
    }

    @Test("ACC-13: Requests and accesses of both sides are in their exports, and nothing of others")
    func sides() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([60, 61]), of: world.person)
            let id = try await world.askAndAccept()
            _ = try await world.deliver(id, csv: true).collectedBody()
            let own = try await paths(world, .init(accountID: world.person, kind: .individual))
            #expect(own.keys.sorted() == ["requests/accesses.jsonl", "requests/requests.jsonl"])
            let company = try await paths(world, .init(accountID: world.company, kind: .thirdParty))
            #expect(company.keys.sorted() == ["requests/asked.jsonl"])
            #expect(try await paths(world, .init(accountID: .random(), kind: .individual)).isEmpty)
        }
    }
}
