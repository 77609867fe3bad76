import HTTP
import Postgres
import Primitives
import Reactor
import ReactorTesting
@testable import Edge
@testable import Service
import ServiceTesting
import Testing

@Suite struct IdempotencyTests {
    /// Counts what it is told to; 418 is not stored.
    private enum CountingService: ServiceDefinition {
        struct Settings: Codable, Sendable {}
        static let name = "accounts"
        static let account = UUID.random()
        static let migrations = [
            Idempotency.migration(1),
            Migration(2, "effects", Array("create table effect (number bigserial, text text)".utf8)),
        ]
        static let openAPI = Array("{}".utf8)

        static func build(_ context: ServiceContext<Settings>) async throws -> ServiceParts {
            let idempotency = Idempotency(context)
            var parts = ServiceParts()
            parts.http { routes in
                routes.on(.post, "/effects", access: .anyone) { request in
                    try await idempotency.respond(to: request, of: account) { transaction in
                        let text = String(decoding: request.bytes, as: UTF8.self)
                        let number = try await transaction.queryOne(
                            "insert into effect (text) values (\(text)) returning number", as: Int64.self)
                        guard text != "fail" else { throw Problem(.conflict, code: "failed") }
                        var response = HTTPResponse.text("\(number ?? 0)", status: .created)
                        response.fields["Location"] = "/effects/\(number ?? 0)"
                        return response
                    }
                }
            }
            parts.http { routes in
                routes.on(.post, "/claims", access: .anyone) { request in
                    try await idempotency.respond(to: request, of: account) { claim in
                        try await Claims.answer(request, claim, in: context.database)
                    }
                }
            }
            parts.tasks = [idempotency.cleaning(pacing: context.pacing)]
            return parts
        }
    }

    /// What does something before its transaction, of which each time is counted, and something in it.
    private enum Claims {
        static let began = EventCounter()
        static let goOn = EventCounter()

        static func answer(
            _ request: HTTPRequest, _ claim: IdempotencyClaim?, in database: Database
        ) async throws -> HTTPResponse {
            let text = String(decoding: request.bytes, as: UTF8.self)
            try await database.execute("insert into effect (text) values ('before')")
            switch text {
            case "fail": throw Problem(.conflict, code: "failed")
            case "wait":
                began.raise()
                _ = await goOn.wait(after: 0, deadline: .after(.patience))
            case "overtaken": try await database.execute("update idempotency set holder = gen_random_uuid()")
            case "parts":
                let done = try await claim?.parts() ?? [:]
                for part in done.count + 1...done.count + 2 {
                    try await claim?.keep(part: part, Array("part \(part)".utf8), in: database)
                }
                guard done.count == 4 else { throw Problem(.conflict, code: "broken-off") }
                return .text("\(done.sorted { $0.key < $1.key }.map { String(decoding: $0.value, as: UTF8.self) })")
            default: break
            }
            return try await database.transaction { transaction in
                try await transaction.execute("insert into effect (text) values (\(text))")
                let response = HTTPResponse.text("done \(text)", status: .created)
                try await claim?.keep(response, in: transaction)
                return response
            }
        }
    }

    private func post(
        _ service: TestService<CountingService>, _ text: String, key: String?, to path: String = "/effects"
    ) async throws -> (status: HTTPStatus, body: String, location: String?, isReplayed: Bool) {
        let fields: HTTPFields = key.map { ["Idempotency-Key": $0, "Content-Type": "text/plain"] } ?? [:]
        let response = try await service.call(.post, path, fields: fields, body: Array(text.utf8))
        return (
            response.status, String(decoding: try await response.collectedBody(), as: UTF8.self),
            response.fields["Location"], response.fields["Idempotency-Replayed"] == "true"
        )
    }

    private func count(_ service: TestService<CountingService>) async throws -> Int? {
        try await service.database.queryOne("select count(*) from effect", as: Int.self)
    }

    @Test("NFR-04: the same key and request take effect once and get the same answer; another request gets 422")
    func replay() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            let first = try await post(service, "a", key: "one")
            #expect(first.status == .created && !first.isReplayed)
            let again = try await post(service, "a", key: "one")
            #expect(again.status == .created && again.isReplayed)
            #expect(again.body == first.body && again.location == first.location)
            let other = try await post(service, "b", key: "one")
            #expect(other.status == .unprocessableContent)
            _ = try await post(service, "a", key: "two")
            _ = try await post(service, "a", key: nil)
            let effects = try await count(service)
            #expect(effects == 3)
        }
    }

    @Test("a failure is not stored: the next attempt is a new one")
    func failure() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            let first = try await post(service, "fail", key: "one")
            #expect(first.status == .conflict)
            let other = try await post(service, "better", key: "one")
            #expect(other.status == .created)
            let effects = try await count(service)
            #expect(effects == 1)
        }
    }

    @Test("NFR-04: many at the same time take effect once")
    func concurrent() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try await post(service, "a", key: "one").body } }
                var bodies: Set<String> = []
                for try await body in group { bodies.insert(body) }
                return bodies
            }
            #expect(bodies.count == 1)
            let effects = try await count(service)
            #expect(effects == 1)
        }
    }

    @Test("NFR-05d: answers are encrypted where they are stored, and forgotten after a day")
    func storage() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            _ = try await post(service, "a", key: "one")
            let stored = try await service.database.queryOne("select answer from idempotency", as: [UInt8].self)
            #expect(String(decoding: stored ?? [], as: UTF8.self).contains("/effects/") == false)
            service.clock.advance(by: Idempotency.life + .seconds(1))
            service.start()
            #expect(await service.pacing.reached(pauses: 1))
            let left = try await service.database.queryOne("select count(*) from idempotency", as: Int.self)
            #expect(left == 0)
        }
    }

    // MARK: Claims

    private func claim(
        _ service: TestService<CountingService>, _ text: String, key: String? = "one"
    ) async throws -> (status: HTTPStatus, body: String, location: String?, isReplayed: Bool) {
        try await post(service, text, key: key, to: "/claims")
    }

    private func effects(_ service: TestService<CountingService>) async throws -> [String] {
        try await service.database.query("select text from effect order by number", as: String.self)
    }

    @Test(
        "NFR-04: what is done before the transaction is done once, too; after a refusal the key is free for another request"
    )
    func claims() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            let refused = try await claim(service, "fail")
            #expect(refused.status == .conflict)
            let first = try await claim(service, "a")
            #expect(first.status == .created && !first.isReplayed)
            let again = try await claim(service, "a")
            #expect(again.status == .created && again.isReplayed && again.body == first.body)
            let other = try await claim(service, "b")
            #expect(other.status == .unprocessableContent)
            _ = try await claim(service, "a", key: nil)
            #expect(try await effects(service) == ["before", "before", "a", "before", "a"])
        }
    }

    @Test("NFR-04: a key that is claimed is refused to others meanwhile, and to those that wait for no claim")
    func claimed() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            async let first = claim(service, "wait")
            _ = await Claims.began.wait(after: 0, deadline: .after(.patience))
            let second = try await claim(service, "wait")
            let third = try await post(service, "wait", key: "one")
            Claims.goOn.raise()
            #expect(second.status == .conflict && second.body.contains("idempotency-key-in-use"))
            #expect(third.status == .unprocessableContent)
            #expect(try await first.status == .created)
            #expect(try await effects(service) == ["before", "wait"])
        }
    }

    @Test(
        "NFR-04: a claim of a process that has crashed holds for its time; then the same request goes on, and no other")
    func crashed() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            _ = try await claim(service, "a")
            func leave(until time: String) async throws {
                try await service.database.execute("update idempotency set answer = null, held_until = \(raw: time)")
            }
            try await leave(until: "now() + interval '1 minute'")
            let early = try await claim(service, "a")
            #expect(early.status == .conflict)
            try await leave(until: "now()")
            let other = try await claim(service, "b")
            #expect(other.status == .unprocessableContent)
            let late = try await claim(service, "a")
            #expect(late.status == .created && !late.isReplayed)
        }
    }

    @Test("NFR-04: who has lost the claim takes the effect back, and leaves the other's answer")
    func overtaken() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            let late = try await claim(service, "overtaken")
            #expect(late.status == .conflict && late.body.contains("idempotency-key-in-use"))
            #expect(try await effects(service) == ["before"])
            // It is another one's still.
            let held = try await service.database.queryOne("select count(*) from idempotency", as: Int.self)
            #expect(held == 1)
        }
    }

    @Test("NFR-04 NFR-05d: parts that are done stay when a request breaks off, sealed, and the same request finds them")
    func parts() async throws {
        try await TestService<CountingService>.with(settings: .init()) { service in
            for _ in 0..<2 {
                let broken = try await claim(service, "parts")
                #expect(broken.status == .conflict && broken.body.contains("broken-off"))
                let other = try await claim(service, "a")
                #expect(other.status == .unprocessableContent)
            }
            let whole = try await claim(service, "parts")
            #expect(whole.status == .ok)
            #expect(whole.body == "[\"part 1\", \"part 2\", \"part 3\", \"part 4\"]")
            let rows = try await service.database.query(
                "select answer from idempotency where part > 0", as: [UInt8].self)
            #expect(rows.count == 6)
            #expect(rows.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("part") })
        }
    }
}
