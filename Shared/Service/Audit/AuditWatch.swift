import JSON
import Primitives
import Security
import Synchronization

/// Publishes the head of the audit trail in the log, which is stored elsewhere than the database, and checks the
/// entries added since the last time: whoever rewrites the trail contradicts a published head (NFR-06).
final class AuditWatch: Sendable {
    static let interval = Duration.seconds(3600)

    private let audit: AuditTrail
    private let log: Log
    private let published = Mutex<AuditChain?>(nil)

    init(audit: AuditTrail, log: Log) {
        self.audit = audit
        self.log = log
    }

    /// One round. The first one of a process only publishes.
    func publish() async throws {
        let known = published.withLock { $0 }
        let head: AuditChain
        do {
            if let known { head = try await audit.verify(from: known) } else { head = try await audit.head() }
            try await audit.settle()
        } catch let error as SecurityError {
            log.error("the audit trail was changed", ["error": Log.text(of: error)])
            return
        }
        published.withLock { $0 = head }
        log.info("audit head", ["sequence": .integer(head.sequence), "hash": .string(hex(head.hash))])
    }
}
