import Primitives
import Security

/// `trackme-NAME audit verify`: checks the audit trail, from its beginning or from a head that the log told earlier (NFR-06).
enum AuditCommand {
    static let name = "audit"
    static let summary =
        "verify [SEQUENCE HASH]: checks the audit trail, all of it or from an \"audit head\" of the log on"

    /// What was found. Throws `CommandMistake`: a sentence that names the first bad entry, or how to call it.
    static func run(_ arguments: [String], _ audit: AuditTrail) async throws -> String {
        let known = try known(arguments)
        do {
            let head = try await audit.verify(from: known)
            return "The audit trail holds up to entry \(head.sequence), whose hash is \(hex(head.hash))."
        } catch SecurityError.auditBroken(let sequence, let fault) {
            throw CommandMistake(description: sentence(sequence, fault))
        }
    }

    private static func known(_ arguments: [String]) throws(CommandMistake) -> AuditChain? {
        switch (arguments.first, arguments.count) {
        case ("verify", 1): return nil
        case ("verify", 3):
            if let sequence = Int64(arguments[1]), sequence >= 0, let hash = bytes(hex: arguments[2]), hash.count == 32
            {
                return AuditChain(sequence: sequence, hash: hash)
            }
        default: break
        }
        throw CommandMistake(
            description: "Say audit verify, or audit verify SEQUENCE HASH with the two that the log told as audit head."
        )
    }

    private static func sentence(_ sequence: Int64, _ fault: AuditFault) -> String {
        switch fault {
        case .sequence(let expected):
            "Entry \(expected) of the audit trail is missing; \(sequence) follows in its place."
        case .hash: "Entry \(sequence) of the audit trail, or one before it, was changed."
        case .deleted:
            "Entries up to \(sequence) were deleted, and that head lies before them: it can be compared with nothing. Give a later one; what is kept is checked without one."
        case .head: "The audit trail was cut or replaced: it ends after entry \(sequence), other than at its head."
        }
    }
}
