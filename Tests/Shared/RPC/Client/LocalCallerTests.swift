import RPC
import Reactor
import Telemetry
import Testing

@Suite struct LocalCallerTests {
    private let service = TestService()

    @Test("the same results, refusals and errors as over the network")
    func sameAsNetwork() async throws {
        let ingestion = LocalCaller(router: service.router, as: "ingestion")
        #expect(try await ingestion.call(Subtract.self, .init(minuend: 42, subtrahend: 23)) == 19)
        await #expect(throws: RPCError(.gone, "Too old.", domain: "feed.gone")) {
            _ = try await ingestion.call(Fail.self, .init(kind: "gone"))
        }
        await #expect(throws: RPCError(.internal)) { _ = try await ingestion.call(Fail.self, .init(kind: "?")) }
        await #expect { _ = try await ingestion.call(Guarded.self, Empty()) } throws: {
            ($0 as? RPCError)?.code == .notAllowed
        }
        _ = try await LocalCaller(router: service.router, as: "query").call(Guarded.self, Empty())
        await #expect {
            _ = try await LocalCaller(router: RPCRouter(), as: "query").call(Guarded.self, Empty())
        } throws: {
            ($0 as? RPCError)?.code == .methodNotFound
        }
    }

    @Test("an error that has a meaning for callers reaches them as that one, and is no failure of the handler")
    func meaning() async throws {
        struct Away: RPCErrorConvertible {
            var rpcError: RPCError? { RPCError(.unavailable, "The database is away.") }
        }
        let log = MemoryLogSink()
        var router = RPCRouter()
        router.register(Fail.self, allow: ["ingestion"]) { (_, _) in throw Away() }
        let caller = LocalCaller(
            router: router, as: "ingestion", observer: Observer(log: Log(service: "test", sink: log)))
        await #expect(throws: RPCError(.unavailable, "The database is away.")) {
            _ = try await caller.call(Fail.self, .init(kind: "?"))
        }
        #expect(log.lines.isEmpty)
    }

    @Test("each hop shaves the deadline, and the last one refuses")
    func hops() async throws {
        let caller = LocalCaller(router: service.router, as: "ingestion")
        let told = try await caller.call(Describe.self, Empty(), deadline: .after(.milliseconds(500)))
        #expect(told.remainingMilliseconds <= 490)
        await #expect {
            _ = try await caller.call(Describe.self, Empty(), deadline: .after(.milliseconds(10)))
        } throws: {
            ($0 as? RPCError)?.code == .deadline
        }
    }
}
