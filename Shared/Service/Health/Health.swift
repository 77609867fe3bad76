import Postgres
import Reactor
import Synchronization

/// The health of a service as far as it is known: until its parts are built it is alive, and starting.
final class KnownHealth: Sendable {
    private let health: Mutex<Health?>

    init(_ health: Health? = nil) { self.health = Mutex(health) }

    func set(_ new: Health) { health.withLock { $0 = new } }

    var isAlive: Bool { health.withLock { $0 }?.isAlive ?? true }

    func report() async -> Health.Report {
        await health.withLock { $0 }?.report() ?? Health.Report(status: Health.Phase.starting.rawValue, parts: [])
    }
}

/// Whether the service can answer: it has started, is not stopping, and what it needs is there. Neighbours that cannot be
/// reached are shown, and do not make it unready, since it works without them; so is the database for services whose alarms
/// go on without it.
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

    /// Time limit for the database's answer.
    static let answerTime = Duration.seconds(1)
    /// Silence after which a loop counts as stalled.
    static let silenceMax = Duration.seconds(10)

    private let phase = Mutex(Phase.starting)
    private let database: Database
    private let needsDatabase: Bool
    private let proof: WriteProof
    private let pulse: LoopPulse
    private let peers: Peers
    private let checks: [ReadinessCheck]

    init(
        database: Database, isNeeded: Bool, proof: WriteProof, pulse: LoopPulse, peers: Peers, checks: [ReadinessCheck]
    ) {
        self.database = database
        needsDatabase = isNeeded
        self.proof = proof
        self.pulse = pulse
        self.peers = peers
        self.checks = checks
    }

    func enter(_ new: Phase) { phase.withLock { $0 = new } }

    /// Whether all loops run. (A process none of whose loops runs answers nothing at all.)
    var isAlive: Bool { pulse.silence < Self.silenceMax }

    func report() async -> Report {
        var parts = [
            Report.Part(
                name: "database", status: await databaseAnswers() ? "ok" : "unreachable", required: needsDatabase),
            Report.Part(name: "database-write", status: proof.holds ? "ok" : "failing", required: false),
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
