import Contracts
import Domain
import HTTP
import JSON
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Query

/// The lists of requests that both sides see.
@Suite struct RequestListTests {
    @Test("REQ-10 REQ-12a: long lists come in pages, and both sides can go through all of them")
    func paging() async throws {
        try await World.with { world in
            var ids: Set<String> = []
            for _ in 0..<3 {
                let id = try await world.askAndAccept()
                ids.insert(id.description)
                world.clock.advance(by: .seconds(1))
                _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            }
            for isCompany in [true, false] {
                var seen: Set<String> = []
                var cursor = ""
                for _ in 0..<2 {
                    let path = "/requests?limit=2\(cursor)"
                    let page =
                        try await isCompany ? world.asCompany(.get, path) : world.asPerson(.get, "/me" + path)
                    seen.formUnion(page["requests"]?.items.compactMap { $0["id"]?.text } ?? [])
                    cursor = "&cursor=\(page["next"]?.text ?? "end")"
                }
                #expect(seen == ids)
                #expect(cursor == "&cursor=end")
            }
            for path in ["/requests?cursor=x", "/requests?cursor=\(UUID.random())"] {
                #expect(try await world.asCompany(.get, path).code == "invalid-request")
            }
        }
    }

    @Test("REQ-10 REQ-12a: lists are latest first, whatever the ids: fifty old check-ins hide no new request")
    func latestFirst() async throws {
        try await World.with { world in
            let caller = world.service.rpc(as: "track4run")
            for number in 0..<52 {
                let id = try #require(UUID("ffffffff-0000-5000-8000-0000000000\(10 + number)"))
                _ = try await caller.call(
                    Query.RequestCheckIn.self,
                    .init(
                        id: id, runID: .random(), runName: "Stramilano", organiserID: world.company,
                        runnerID: world.person, start: World.start + .seconds(9000), end: World.start + .seconds(9900)))
                // Two at the same time, again and again.
                if number % 2 == 1 { world.clock.advance(by: .seconds(1)) }
            }
            let id = try await world.ask()
            for list in [
                try await world.asPerson(.get, "/me/requests"), try await world.asCompany(.get, "/requests"),
            ] {
                let first = list["requests"]?.items ?? []
                #expect(first.count == 50 && first.first?["id"]?.text == id.description)
                let times = first.compactMap { $0["created_at"]?.text.flatMap { Timestamp($0) } }
                #expect(times == times.sorted(by: >) && times.count == 50)
            }
            var (seen, cursor): ([String], String?) = ([], "")
            while let next = cursor {
                let page = try await world.asPerson(.get, "/me/requests?limit=7\(next)")
                seen += page["requests"]?.items.compactMap { $0["id"]?.text } ?? []
                cursor = page["next"]?.text.map { "&cursor=\($0)" }
            }
            #expect(seen.count == 53 && Set(seen).count == 53)
        }
    }
}
