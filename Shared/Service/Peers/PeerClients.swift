import JSON
import RPC
import Reactor
import Synchronization
import Telemetry

/// The clients of a service's neighbours. A neighbour has one address or several, which the configuration names, or DNS
/// gives for a name of it; both may change while the service runs.
final class PeerClients: Sendable {
    /// How long clients of old addresses are kept for their calls in progress: longer than a long poll.
    private static let retirement = Duration.seconds(40)
    /// How often names are looked up for more addresses.
    private static let lookUpInterval = Duration.seconds(10)
    private static let lookUpTime = Duration.seconds(5)
    /// Of one name.
    static let addressesMax = 16

    private struct Peer {
        let configured: [Endpoint]
        let endpoints: [Endpoint]
        let client: RPCClient
    }

    private struct State {
        var peers: [String: Peer] = [:]
        /// Clients of old addresses with calls in progress.
        var retired: [ObjectIdentifier: RPCClient] = [:]
    }

    private let loops: EventLoopGroup
    private let tls: TLSContext
    private let observer: Observer
    private let state = Mutex(State())

    init(_ peers: [String: [Endpoint]], loops: EventLoopGroup, tls: TLSContext, observer: Observer) {
        (self.loops, self.tls, self.observer) = (loops, tls, observer)
        state.withLock { state in
            for (name, endpoints) in peers where !endpoints.isEmpty {
                state.peers[name] = Peer(
                    configured: endpoints, endpoints: endpoints, client: client(name, endpoints))
            }
        }
    }

    var callers: [String: any RPCCaller] { state.withLock { $0.peers.mapValues { $0.client } } }

    private func client(_ name: String, _ endpoints: [Endpoint]) -> RPCClient {
        RPCClient(
            RPCClientConfiguration(service: name, endpoints: endpoints), loops: loops, tls: tls, observer: observer)
    }

    // MARK: Changes

    /// Calls neighbours whose addresses have changed at the new ones. Returns the names that are new or gone, which
    /// need a restart.
    func reload(_ peers: [String: [Endpoint]], _ known: Peers) -> [String] {
        let old = state.withLock { $0.peers }
        for (name, endpoints) in peers {
            guard let before = old[name], !endpoints.isEmpty, before.configured != endpoints else { continue }
            replace(name, before, known, configured: endpoints, endpoints: endpoints)
        }
        let named = Set(peers.filter { !$0.value.isEmpty }.keys)
        return named.symmetricDifference(old.keys).sorted()
    }

    private func replace(
        _ name: String, _ before: Peer, _ known: Peers, configured: [Endpoint], endpoints: [Endpoint]
    ) {
        let new = client(name, endpoints)
        state.withLock { state in
            state.peers[name] = Peer(configured: configured, endpoints: endpoints, client: new)
            state.retired[ObjectIdentifier(before.client)] = before.client
        }
        known.replace(name, with: new)
        loops.next().task { [self] in
            try? await EventLoop.current?.sleep(for: Self.retirement)
            await before.client.close()
            state.withLock { $0.retired[ObjectIdentifier(before.client)] = nil }
        }
    }

    // MARK: Names with several addresses

    /// Looks up what names stand for, so that calls spread over all replicas that one name has (a headless service of
    /// Kubernetes, a scaled one of Compose).
    func task(_ known: Peers) -> BackgroundTask {
        .periodic("peer-names", every: Self.lookUpInterval) { [self] in
            for (name, peer) in state.withLock({ $0.peers }) {
                guard let found = await lookUp(peer.configured), found != peer.endpoints else { continue }
                replace(name, peer, known, configured: peer.configured, endpoints: found)
                observer.log.info(
                    "neighbour's addresses", ["service": .string(name), "count": .integer(Int64(found.count))])
            }
        }
    }

    /// `nil` when a name cannot be looked up: what was known before holds.
    private func lookUp(_ endpoints: [Endpoint]) async -> [Endpoint]? {
        var all: [Endpoint] = []
        for endpoint in endpoints {
            guard !endpoint.isUnix else {
                all.append(endpoint)
                continue
            }
            do throws(IOError) {
                all += Self.spread(endpoint, over: try await endpoint.resolve(deadline: .after(Self.lookUpTime)))
            } catch { return nil }
        }
        return all
    }

    /// The addresses that a name stands for, in an order that does not depend on the server's; the name itself when it
    /// stands for one. A replica with an IPv4 and an IPv6 address is one.
    static func spread(_ endpoint: Endpoint, over addresses: [SocketAddress]) -> [Endpoint] {
        guard let first = addresses.first else { return [endpoint] }
        let hosts = Set(addresses.filter { $0.family == first.family }.map(\.host))
        guard hosts.count > 1 else { return [endpoint] }
        return hosts.sorted().prefix(addressesMax).map { Endpoint(host: $0, port: endpoint.port) }
    }

    func close() async {
        let all = state.withLock { state in state.peers.values.map(\.client) + Array(state.retired.values) }
        for client in all { await client.close() }
    }
}
