import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Query

/// What several people, devices and programs do with one request at the same time, or in an order that nobody thought of.
@Suite struct AtOnceTests {
    private typealias Call = @Sendable () async throws -> World.Answer

    /// What is answered to each of the calls, which are made at the same time, in their order.
    private static func together(_ calls: [Call]) async throws -> [World.Answer] {
        try await withThrowingTaskGroup(of: (Int, World.Answer).self) { group in
            for (number, call) in calls.enumerated() { group.addTask { (number, try await call()) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                .sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The kinds of events of a request, in their order.
    private func kinds(of id: UUID, _ world: World) async throws -> [String] {
        try await world.service.database.query(
            "select kind from event where request_id = \(id) order by number", as: String.self)
    }

    @Test(
        "REQ-05cd REQ-07b REQ-10cd: of withdrawals and ends at the same time one takes effect, and each side is told once",
        arguments: 1...3)
    func bothEnd(attempt: Int) async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            let withdraw: Call = { try await world.asPerson(.post, "/me/requests/\(id)/withdrawal") }
            let end: Call = { try await world.asCompany(.delete, "/requests/\(id)") }
            let answers = try await Self.together([withdraw, end, end, withdraw, withdraw, end])
            let done = answers.filter { $0.status == 200 }
            #expect(done.count == 1)
            #expect(answers.filter { $0.status == 409 && $0.code == "request-decided" }.count == 5)
            let state = try #require(try await world.state(of: id))
            #expect(["withdrawn", "ended"].contains(state) && done.first?["state"]?.text == state)
            #expect(try await kinds(of: id, world) == ["request.accepted", "request.\(state)"])
            // The request, its acceptance, and the end to both.
            try #require(await world.neighbours.reached(sent: 4))
            try await world.round()
            let told = world.neighbours.sent.filter { $0.template == "request-\(state)" }
            #expect(told.count == 2 && Set(told.map(\.account)) == [world.company, world.person])
            #expect(world.neighbours.sent.count == 4)
        }
    }

    @Test("REQ-05acd: of two devices that accept different parts at the same time one decides, and its part is shared")
    func twoDevices() async throws {
        try await World.with { world in
            let id = try await world.ask()
            let calls = (0..<3).flatMap { _ in
                ["heart-rate", "position"].map { type -> Call in
                    {
                        try await world.asPerson(
                            .post, "/me/requests/\(id)/acceptance", "{\"data_types\": [\"\(type)\"]}")
                    }
                }
            }
            let answers = try await Self.together(calls)
            let done = answers.filter { $0.status == 200 }
            #expect(done.count == 1 && answers.filter { $0.code == "request-decided" }.count == 5)
            let part = try #require(done.first?["accepted_types"])
            #expect(part.items.count == 1)
            #expect(try await world.asCompany(.get, "/requests/\(id)")["accepted_types"] == part)
            let own = try await world.asPerson(.get, "/me/requests")["requests"]?.items.first
            #expect(own?["accepted_types"] == part)
            #expect(try await kinds(of: id, world) == ["request.accepted"])
        }
    }

    @Test(
        "REQ-05cd REQ-07b REQ-10c: who accepts while the third party takes the request back, shares nothing afterwards",
        arguments: 1...4)
    func takenBack(attempt: Int) async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.ask()
            let accept: Call = { try await world.asPerson(.post, "/me/requests/\(id)/acceptance") }
            let end: Call = { try await world.asCompany(.delete, "/requests/\(id)") }
            let answers = try await Self.together(attempt % 2 == 0 ? [accept, end] : [end, accept])
            let (accepted, ended) = (answers[attempt % 2 == 0 ? 0 : 1], answers[attempt % 2 == 0 ? 1 : 0])
            #expect(ended.status == 200)
            #expect(accepted.status == 200 || accepted.code == "request-decided")
            #expect(try await world.state(of: id) == "ended")
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").code == "consent-ended")
            let before = accepted.status == 200 ? ["request.accepted"] : []
            #expect(try await kinds(of: id, world) == before + ["request.ended"])
            #expect(try await world.deliveryLog().isEmpty)
            // And may ask again.
            _ = try await world.ask()
        }
    }

    @Test("REQ-05cd REQ-06a REQ-07b: who answers while the request is closed for want of an answer, is too late")
    func lapsing() async throws {
        try await World.with { world in
            let id = try await world.ask()
            let life = world.life()
            world.clock.advance(by: .seconds(3 * 86_400))
            let answer: Call = { try await world.asPerson(.post, "/me/requests/\(id)/acceptance") }
            async let closed = life.closeDue()
            async let other = world.life().closeDue()
            let answers = try await Self.together([answer, answer, answer])
            #expect(answers.allSatisfy { $0.status == 409 && $0.code == "request-decided" })
            let count = try await closed + other
            #expect(count == 1)
            #expect(try await world.state(of: id) == "lapsed")
            #expect(try await kinds(of: id, world) == ["request.lapsed"])
        }
    }

    @Test("REQ-09a: the same person by fiscal code and by e-mail, however written, at the same time, is asked once")
    func twoNames() async throws {
        try await World.with { world in
            let names = [
                "\"fiscal_code\": \"\(World.fiscalCode)\"", "\"email\": \"\(World.email)\"",
                "\"fiscal_code\": \" \(World.fiscalCode.lowercased()) \"", "\"email\": \"  MARIO@Example.ORG \"",
            ]
            let drafts = names.map {
                World.draft.replacing("\"fiscal_code\": \"\(World.fiscalCode)\"", with: $0)
            }
            let answers = try await Self.together(
                drafts.map { draft in { try await world.asCompany(.post, "/requests", draft) } })
            #expect(answers.map(\.status).sorted() == [201, 409, 409, 409])
            #expect(answers.filter { $0.code == "open-request-exists" }.count == 3)
            #expect(world.neighbours.finds == 4)
            let open = try #require(answers.first { $0.status == 201 }?["id"]?.text)
            #expect(try await world.asCompany(.delete, "/requests/\(open)").status == 200)
            let people = "\"people\": [\(names[..<2].map { "{\($0)}" }.joined(separator: ", "))]"
            let batch = try await world.asCompany(
                .post, "/request-batches",
                World.draft.replacing("\"fiscal_code\": \"\(World.fiscalCode)\"", with: people))
            #expect(batch["items"]?.items.compactMap { $0["status"]?.integer }.sorted() == [201, 409])
        }
    }

    @Test(
        "REQ-05 REQ-10 ACC-12d: a side that leaves while the request is pending ends it; the other is told, and nothing can be accepted"
    )
    func leaving() async throws {
        for isCompany in [false, true] {
            try await World.with { world in
                let id = try await world.ask()
                // What waits for who is erased is dropped.
                try #require(await world.neighbours.reached(sent: 1))
                try await ErasureTests.follower(world).erase(
                    isCompany ? world.company : world.person, isCompany ? .thirdParty : .individual,
                    at: world.clock.now(), in: world.service.database)
                let accepted = try await world.asPerson(.post, "/me/requests/\(id)/acceptance")
                try await world.round()
                try #require(await world.neighbours.reached(sent: 2))
                let told = world.neighbours.sent.filter { $0.template == "request-ended" }
                if isCompany {
                    #expect(accepted.status == 409 && accepted.code == "request-decided")
                    let own = try await world.asPerson(.get, "/me/requests")["requests"]?.items
                    #expect(own?.map { $0["state"]?.text } == ["ended"])
                    #expect(told.map(\.account) == [world.person])
                } else {
                    #expect(accepted.status == 404)
                    #expect(try await world.asCompany(.get, "/requests/\(id)").status == 404)
                    #expect(try await world.asCompany(.get, "/requests")["requests"]?.items.isEmpty == true)
                    #expect(told.map(\.account) == [world.company])
                }
            }
        }
    }

    @Test("REQ-05d REQ-08a REQ-10b: a clock that is set back keeps nobody from deciding, reading on and withdrawing")
    func clockSetBack() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.ask()
            world.clock.advance(by: .seconds(-86_400))
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").status == 200)
            let first = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=20000")
            #expect(first["series"]?.items.count == 1)
            world.clock.advance(by: .seconds(-86_400))
            let next = try #require(first["next"]?.text)
            world.neighbours.arrive(World.heartRates([62]), of: world.person)
            let second = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=20000&cursor=\(next)")
            #expect(second["series"]?.items.map { $0["values"]?.items.map(\.double) } == [[62]])
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").code == "consent-withdrawn")
            let again = try await world.ask()
            let own = try await world.asPerson(.get, "/me/requests")["requests"]?.items
            #expect(Set((own ?? []).compactMap { $0["id"]?.text }) == ["\(id)", "\(again)"])
        }
    }
}
