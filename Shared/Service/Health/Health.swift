import HTTP
import Postgres
import Reactor
import Synchronization

/// Whether the service can answer. It can when it has started, is not stopping, and its database answers; neighbours
/// that cannot be reached are shown, and do not make it unready, since it works without them.
final class Health: Sendable {
    enum Phase: String, Sendable {
        case starting, ready, stopping
    }

    struct Report: Encodable, Sendable {
        struct Part: Encodable, Sendable {
            let name: String
            let status: String
            let required: Bool
        }

        let status: String
        let parts: [Part]

        var isReady: Bool { status == "ready" || status == "degraded" }
    }

    /// For the database's answer.
    static let answerTime = Duration.seconds(1)

    private let phase = Mutex(Phase.starting)
    private let database: Database
    private let peers: Peers
    private let checks: [ReadinessCheck]

    init(database: Database, peers: Peers, checks: [ReadinessCheck]) {
        self.database = database
        self.peers = peers
        self.checks = checks
    }

    func enter(_ new: Phase) { phase.withLock { $0 = new } }

    func report() async -> Report {
        var parts = [
            Report.Part(name: "database", status: await databaseAnswers() ? "ok" : "unreachable", required: true)
        ]
        for check in checks {
            parts.append(
                .init(name: check.name, status: await check.holds() ? "ok" : "failing", required: check.isRequired))
        }
        parts += peers.statuses.map { .init(name: $0.name, status: $0.status.rawValue, required: false) }
        let phase = phase.withLock { $0 }
        let status: String
        if phase != .ready {
            status = phase.rawValue
        } else if parts.contains(where: { $0.required && $0.status != "ok" }) {
            status = "unavailable"
        } else {
            status = parts.contains { $0.status != "ok" && $0.status != "unknown" } ? "degraded" : "ready"
        }
        return Report(status: status, parts: parts)
    }

    private func databaseAnswers() async -> Bool {
        do throws(PostgresError) {
            return try await database.queryOne("select true", as: Bool.self, deadline: .after(Self.answerTime)) == true
        } catch { return false }
    }
}
