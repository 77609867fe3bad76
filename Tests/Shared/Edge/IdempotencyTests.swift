import HTTP
import Postgres
import Primitives
import Reactor
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
            Migration(1, "idempotency", Array(Idempotency.tableSQL.utf8)),
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
            parts.tasks = [idempotency.cleaning(pacing: context.pacing)]
            return parts
        }
    }

    private func post(
        _ service: TestService<CountingService>, _ text: String, key: String?
    ) async throws -> (status: HTTPStatus, body: String, location: String?, isReplayed: Bool) {
        let fields: HTTPFields = key.map { ["Idempotency-Key": $0, "Content-Type": "text/plain"] } ?? [:]
        let response = try await service.call(.post, "/effects", fields: fields, body: Array(text.utf8))
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
}
