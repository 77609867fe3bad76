public import Contracts
import HTTP
public import RPC
public import Reactor

/// A running suite, seen from outside: its public API over connections of our own, and the few internal methods that our
/// certificate may call.
public final class Suite: Sendable {
    /// How long one call may take.
    public static let callMax: Duration = .seconds(60)
    private static let connectionsPerLoop = 64

    public let configuration: SuiteConfiguration
    public let loops: EventLoopGroup
    private let clients: [HTTPClient]
    private let callers: [String: RPCClient]

    /// Errors: `local` for certificates or addresses that are not usable.
    public init(_ configuration: SuiteConfiguration, loops: EventLoopGroup) throws(SuiteError) {
        self.configuration = configuration
        self.loops = loops
        var settings = HTTPClient.Configuration()
        settings.allowPrivateAddresses = true
        settings.connectionsPerOriginMax = Self.connectionsPerLoop
        settings.responseBytesMax = 64 << 20
        clients = loops.loops.map { HTTPClient(on: $0, configuration: settings) }
        let tls: TLSContext
        do throws(IOError) {
            tls = try .client(
                authorityFile: configuration.internal.authorityFile,
                certificateFile: configuration.internal.certificateFile, keyFile: configuration.internal.keyFile)
        } catch { throw .local("The simulator's certificate is not usable: \(error).") }
        var callers: [String: RPCClient] = [:]
        for (service, addresses) in configuration.peers {
            let endpoints = addresses.compactMap { Endpoint($0) }
            guard !endpoints.isEmpty, endpoints.count == addresses.count else {
                throw .local("simulator.json has an address of the \(service) service that is none.")
            }
            callers[service] = RPCClient(
                RPCClientConfiguration(service: service, endpoints: endpoints), loops: loops, tls: tls)
        }
        self.callers = callers
    }

    /// The client of the loop that we are on.
    var http: HTTPClient {
        let index = loops.loops.firstIndex { $0 === EventLoop.current } ?? 0
        return clients[index]
    }

    /// Calls an internal method. Errors: `unreachable`, `unexpected`.
    public func call<M: RPCMethod>(
        _ method: M.Type, of service: ServiceName, _ params: M.Params, within time: Duration = callMax
    ) async throws(SuiteError) -> M.Result {
        guard let caller = callers[service.rawValue] else {
            throw .local("simulator.json names no internal address of the \(service.rawValue) service.")
        }
        do throws(RPCError) {
            return try await caller.call(M.self, params, deadline: .after(time))
        } catch { throw .unreachable(call: M.name, reason: error.description) }
    }

    public func close() async {
        for client in clients { client.close() }
        for caller in callers.values { await caller.close() }
    }
}
