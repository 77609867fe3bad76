import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
@testable import Service
import ServiceTesting
import Testing

@Suite struct InProcessTests {
    private let settings = EchoService.Settings(greeting: "hello")

    private func text(_ response: HTTPResponse) async throws -> String {
        String(decoding: try await response.collectedBody(), as: UTF8.self)
    }

    @Test("NFR-09: openapi.json is beside the service's own routes; what operators ask is on no public listener")
    func standardRoutes() async throws {
        try await TestService<EchoService>.with(settings: settings) { service in
            for path in ["/healthz", "/readyz", "/metrics"] {
                #expect(try await service.call(.get, path).status == .notFound)
            }
            #expect(try await service.ask("/healthz").status == .ok)
            #expect(try await service.ask("/accounts/v1/greeting").status == .notFound)
            #expect(try await text(service.call(.get, "/accounts/v1/greeting")) == "hello")
            let metrics = try await service.ask("/metrics")
            #expect(metrics.contentType?.description.hasPrefix("text/plain; version=0.0.4") == true)
            #expect(try await text(metrics).contains("trackme_database_connections{schema="))
            for path in ["/openapi.json", "/accounts/openapi.json"] {
                let document = try await service.call(.get, path)
                #expect(try await text(document) == #"{"openapi": "3.1.0"}"#)
                // Who has it already gets it once, compressed or not.
                let tag = try #require(document.fields["etag"])
                for known in [tag, "W/\(tag)"] {
                    let answer = try await service.call(.get, path, fields: ["If-None-Match": known])
                    #expect(answer.status == .notModified)
                    #expect(try await text(answer) == "")
                }
                #expect(try await service.call(.get, path, fields: ["If-None-Match": "\"other\""]).status == .ok)
            }
        }
    }

    private struct Report: Decodable {
        struct Part: Decodable {
            let name: String
            let status: String
        }
        let status: String
        let parts: [Part]

        func status(of part: String) -> String? { parts.first { $0.name == part }?.status }
    }

    private func readiness(_ service: TestService<EchoService>) async throws -> (status: HTTPStatus, report: Report) {
        let response = try await service.ask("/readyz")
        return (response.status, try JSONDecoder().decode(Report.self, from: try await response.collectedBody()))
    }

    @Test("NFR-03: ready only between start and stop")
    func readiness() async throws {
        try await TestService<EchoService>.with(settings: settings) { service in
            let starting = try await readiness(service)
            #expect(starting.status == .serviceUnavailable)
            #expect(starting.report.status == "starting")
            service.start()
            let ready = try await readiness(service)
            #expect(ready.status == .ok)
            #expect(ready.report.status == "ready")
            await service.assembled.stop()
            let stopping = try await readiness(service)
            #expect(stopping.status == .serviceUnavailable)
            #expect(stopping.report.status == "stopping")
        }
    }

    @Test("NFR-03b: a neighbour that is down degrades and does not make unready; a database that is down does")
    func degraded() async throws {
        try await TestService<EchoService>.with(settings: settings, peers: ["query": Down()]) { service in
            service.start()
            let answer = try await service.call(.get, "/accounts/v1/neighbour")
            #expect(answer.status == .serviceUnavailable)
            let degraded = try await readiness(service)
            #expect(degraded.status == .ok)
            #expect(degraded.report.status == "degraded")
            #expect(degraded.report.status(of: "query") == "unreachable")
            await service.database.close()
            let without = try await readiness(service)
            #expect(without.status == .serviceUnavailable)
            #expect(without.report.status(of: "database") == "unreachable")
        }
    }

    @Test("NFR-03b: a service whose alarms go on without its database stays ready, and shows that it is gone")
    func readyWithoutDatabase() async throws {
        try await TestService<AlarmService>.with(settings: settings) { service in
            service.start()
            await service.database.close()
            let response = try await service.ask("/readyz")
            let report = try JSONDecoder().decode(Report.self, from: try await response.collectedBody())
            #expect(response.status == .ok && report.status == "degraded")
            #expect(report.status(of: "database") == "unreachable")
        }
    }

    private enum AlarmService: ServiceDefinition {
        typealias Settings = EchoService.Settings
        static let name = "accounts"
        static let migrations = EchoService.migrations
        static let openAPI = EchoService.openAPI

        static func build(_: ServiceContext<Settings>) async throws -> ServiceParts {
            var parts = ServiceParts()
            parts.needsDatabase = false
            return parts
        }
    }

    /// A neighbour that cannot be reached.
    private struct Down: RPCCaller {
        func call<M: RPCMethod>(_: M.Type, _: M.Params, deadline: Deadline?) async throws(RPCError) -> M.Result {
            throw RPCError(.unavailable)
        }
    }

    @Test("ACC-16: routes behind a token, with keys from accounts")
    func authentication() async throws {
        try await TestService<EchoService>.with(settings: settings) { service in
            let account = UUID.random()
            #expect(try await service.call(.get, "/accounts/v1/me").status == .unauthorized)
            let token = try service.tokens.token(.individual, account: account)
            #expect(try await text(service.call(.get, "/accounts/v1/me", token: token)) == account.description)
            let other = try service.tokens.token(.organiser, account: account)
            #expect(try await service.call(.get, "/accounts/v1/me", token: other).status == .forbidden)
            let metrics = try await text(service.ask("/metrics"))
            for outcome in ["accepted", "unauthorized", "forbidden"] {
                #expect(metrics.contains("trackme_token_checks_total{outcome=\"\(outcome)\"} 1\n"), "\(metrics)")
            }
        }
    }

    @Test("a handler runs in its caller's trace; what it throws is a problem, and logged with that trace")
    func tracesAndErrors() async throws {
        try await TestService<EchoService>.with(settings: settings) { service in
            let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            let trace = try await text(service.call(.get, "/accounts/v1/trace", fields: ["traceparent": parent]))
            #expect(trace.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-"))
            #expect(trace != parent)
            let broken = try await service.call(.get, "/accounts/v1/broken", fields: ["traceparent": parent])
            #expect(broken.status == .internalServerError)
            let line = try #require(service.log.lines.last)
            #expect(line.contains("Broken") && line.contains(#""trace":"0af7651916cd43dd8448eb211c80319c""#))
            #expect(try await service.call(.get, "/accounts/v1/notes/none").status == .notFound)
        }
    }

    @Test("RPC methods are called in memory, by those who may")
    func rpc() async throws {
        try await TestService<EchoService>.with(settings: settings) { service in
            let answer = try await service.rpc(as: "query").call(EchoService.Echo.self, ["a": "b"])
            #expect(answer == ["a": "b"])
            await #expect(throws: RPCError.self) {
                try await service.rpc(as: "dispatcher").call(EchoService.Echo.self, ["a": "b"])
            }
        }
    }

    @Test("background tasks run from start to stop, at the test's pace")
    func tasks() async throws {
        try await TestService<EchoService>.with(settings: settings) { service in
            service.start()
            #expect(await service.pacing.reached(pauses: 1))
            service.pacing.tick()
            #expect(await service.pacing.reached(pauses: 2))
            let count = try await service.database.queryOne("select count(*) from note", as: Int.self)
            #expect(count == 2)
        }
    }
}
