import ProcessTesting

/// How a PostgreSQL is away.
enum Outage: Sendable {
    case killed, frozen

    func begin(_ cluster: PrivateCluster) async throws {
        switch self {
        case .killed: try await cluster.kill()
        case .frozen: cluster.freeze(true)
        }
    }

    func end(_ cluster: PrivateCluster) async throws {
        switch self {
        case .killed: try await cluster.start()
        case .frozen: cluster.freeze(false)
        }
    }
}
