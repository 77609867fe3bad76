import RPC
import Reactor
import Synchronization
import Telemetry

/// The clients of a service's neighbours, which the configuration may send elsewhere while the service runs.
final class PeerClients: Sendable {
    /// What was called at the old addresses ends within this: longer than a long poll.
    private static let retirement = Duration.seconds(40)

    private struct State {
        var clients: [String: (endpoints: [Endpoint], client: RPCClient)] = [:]
        /// Still answering what was asked before.
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
                state.clients[name] = (endpoints, client(name, endpoints))
            }
        }
    }

    var callers: [String: any RPCCaller] { state.withLock { $0.clients.mapValues { $0.client } } }

    private func client(_ name: String, _ endpoints: [Endpoint]) -> RPCClient {
        RPCClient(
            RPCClientConfiguration(service: name, endpoints: endpoints), loops: loops, tls: tls, observer: observer)
    }

    /// Calls those whose addresses have changed at the new ones. Returns the names that are new or gone, which only a
    /// restart takes up.
    func reload(_ peers: [String: [Endpoint]], _ known: Peers) -> [String] {
        let old = state.withLock { $0.clients }
        for (name, endpoints) in peers {
            guard let before = old[name], !endpoints.isEmpty, before.endpoints != endpoints else { continue }
            let new = client(name, endpoints)
            state.withLock { state in
                state.clients[name] = (endpoints, new)
                state.retired[ObjectIdentifier(before.client)] = before.client
            }
            known.replace(name, with: new)
            loops.next().task { [self] in
                try? await EventLoop.current?.sleep(for: Self.retirement)
                await before.client.close()
                state.withLock { $0.retired[ObjectIdentifier(before.client)] = nil }
            }
        }
        let named = Set(peers.filter { !$0.value.isEmpty }.keys)
        return named.symmetricDifference(old.keys).sorted()
    }

    func close() async {
        let all = state.withLock { state in state.clients.values.map(\.client) + Array(state.retired.values) }
        for client in all { await client.close() }
    }
}
