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
    @Test("ACC-13 SUB-02d: What a company wants mailed is in its own export, as it set it, once it has")
    func mailing() async throws {
        try await World.with { world in
            let other = world.neighbours.addCompany("Other")
            #expect(try await paths(world, .init(accountID: world.company, kind: .thirdParty)).isEmpty)
            let set = try await world.asCompany(
                .put, "/mailing", #"{"frequency": "weekly", "kinds": ["data.sums", "data.samples"]}"#)
            #expect(set.status == 200)
            // The same bytes, compressed.
            var expected = ExportFiles()
            try expected.add("requests/mailing.json", set.body)
            let caller = world.service.rpc(as: "accounts")
            var (params, pieces) = (Exports.Params(accountID: world.company, kind: .thirdParty), [Exports.Piece]())
            repeat {
                let page = try await caller.call(Query.Export.self, params)
                pieces += page.pieces
                params.after = page.next
            } while params.after != nil
            #expect(pieces.map(\.path) == ["requests/mailing.json"])
            #expect(pieces.map(\.deflated) == expected.pieces.map(\.deflated))
            #expect(try await paths(world, .init(accountID: other, kind: .thirdParty)).isEmpty)
        }
    }

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
