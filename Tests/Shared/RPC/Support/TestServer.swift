import JSON
import RPC
import Reactor
import Synchronization
import Telemetry
import Testing

/// Runs a test's body on a loop, with a service on a loopback port.
struct TestServer: Sendable {
    let service: TestService
    let server: RPCServer
    let loops: EventLoopGroup
    let events: EventLog

    var endpoint: Endpoint { Endpoint(host: "127.0.0.1", port: server.port) }

    /// Plain unless `tls` is given; `change` adjusts the configuration.
    static func run(
        tls: TLSContext? = nil, change: (inout RPCServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        var configuration = RPCServerConfiguration(
            clientNames: ["ingestion", "track4run", "query"], plainClientName: "ingestion")
        configuration.orphanTimeout = .milliseconds(20)
        configuration.goodbyeQuiet = .milliseconds(20)
        configuration.lingerTimeout = .milliseconds(200)
        change(&configuration)
        let (settings, service, events) = (configuration, TestService(), EventLog())
        try await EventLoopGroup.withLoops(1) { loops in
            let server = try await RPCServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: tls, router: service.router,
                configuration: settings, observer: events.observer)
            let result: Result<Void, any Error>
            do {
                result = .success(
                    try await body(TestServer(service: service, server: server, loops: loops, events: events)))
            } catch {
                result = .failure(error)
            }
            service.release.raise()
            await server.stop(grace: .seconds(1))
            try result.get()
        }
    }

    /// A client of this server, closed after `body`.
    func withClient(
        tls: TLSContext? = nil, endpoints: [Endpoint]? = nil, change: (inout RPCClientConfiguration) -> Void = { _ in },
        _ body: (RPCClient) async throws -> Void
    ) async throws {
        var configuration = RPCClientConfiguration(service: "accounts", endpoints: endpoints ?? [endpoint])
        change(&configuration)
        let client = RPCClient(configuration, loops: loops, tls: tls)
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    /// A connection that sends whatever the test wants.
    func connect() async throws -> RawConnection {
        RawConnection(try await ByteStream.connect(to: endpoint, deadline: .after(.seconds(5))))
    }
}

/// What a server told.
final class EventLog: LogSink {
    private let lines = Mutex<[JSONValue]>([])

    var observer: Observer { Observer(log: Log(service: "test", level: .debug, sink: self)) }

    func write(_ line: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: line) else { return }
        lines.withLock { $0.append(value) }
    }

    func fields(of message: String) -> [JSONValue] {
        lines.withLock { $0.filter { $0["message"] == .string(message) }.compactMap { $0["fields"] } }
    }

    /// How the calls that were told of ended: `ok`, or the error's code.
    var callCodes: [JSONValue?] { fields(of: "rpc call").map { $0["code"] } }
    /// Faults of handlers, which operators are to look at.
    var failures: [JSONValue] { fields(of: "rpc handler failed") }
    /// What handlers threw when nobody waited any more.
    var cancellations: [JSONValue] { fields(of: "rpc handler cancelled") }
    var refusedClients: [JSONValue?] { fields(of: "rpc client refused").map { $0["certificate"] } }
}
