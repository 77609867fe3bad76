import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// `trackme-dispatcher incident …`: operators read the file of any incident for those who may have it when its person cannot ask any
/// more, the family or a court (SOS-14): open, put away or restricted. Each reading is in the audit trail, with the reason, before
/// anything is read (NFR-06).
struct IncidentCommand: Sendable {
    static let name = "incident"
    static let summary =
        "ID [--html] [--language it|en] --reason TEXT: the file of an incident, also of somebody who has died or is erased, as JSON or as a page to print; TEXT is why it is read and on whose request, for the audit trail"
    static let action = "dispatcher.read_incident"
    /// Beside the incident's number in an entry of the audit trail.
    static let reasonBytesMax = AuditTrail.purposeBytesMax - 38

    static let usage = CommandMistake(
        description: """
            Say incident ID [--html] [--language it|en] --reason TEXT. ID is the incident's number; TEXT is why it is read and on whose \
            request, in 1 to \(reasonBytesMax) bytes, and stands in the audit trail.
            """)

    /// What was found.
    struct Answer: Sendable {
        /// The file.
        let text: String
        /// Why its details are not in it.
        let fault: CommandMistake?
    }

    private struct Order {
        let incident: UUID
        let isPage: Bool
        let language: Language
        let reason: String
    }

    private let files: IncidentFiles
    private let keys: SubjectKeys

    init(_ context: ServiceContext<DispatcherSettings>) throws(ConfigurationError) {
        let database = context.database
        keys = try context.connectKeyStore(context.settings.keystore)
        let store = IncidentStore(
            database: database, sealing: IncidentSealing(keys: keys),
            notices: NoticeOutbox(context, table: .dispatcher), times: context.settings.times, log: context.log)
        files = IncidentFiles(
            store: store,
            contacts: OwnContacts(database: database, keys: ContactKeys(master: context.keys.blindIndex)),
            clock: context.clock)
    }

    /// Throws `CommandMistake`, a sentence for whoever called it; and what the databases throw, when they are away.
    func run(_ arguments: [String]) async throws -> Answer {
        let order = try Self.order(arguments)
        let id = order.incident
        guard try await note(order), let file = try await files.file(of: id) else {
            throw CommandMistake(
                description: "There is no incident \(id): the number is another one, or its retention is over.")
        }
        let text =
            order.isPage
            ? IncidentPage(file, in: order.language).text
            : String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
        return Answer(text: text, fault: file.told == nil ? try await fault(of: id) : nil)
    }

    private static func order(_ arguments: [String]) throws(CommandMistake) -> Order {
        guard let first = arguments.first, let incident = UUID(first) else { throw usage }
        var (isPage, language, reason) = (false, Language.italian, String?.none)
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            switch name {
            case "--html": isPage = true
            case "--language":
                guard let known = rest.popFirst().flatMap(Language.init(rawValue:)) else { throw usage }
                language = known
            case "--reason": reason = rest.popFirst()
            default: throw usage
            }
        }
        guard let reason, isReason(reason) else { throw usage }
        return Order(incident: incident, isPage: isPage, language: language, reason: reason)
    }

    private static func isReason(_ text: String) -> Bool {
        text.utf8.count <= reasonBytesMax && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
            && text.contains { !$0.isWhitespace }
    }

    /// Writes the entry of the audit trail; false when there is no such incident. Of who is erased it names nobody but the incident.
    private func note(_ order: Order) async throws(PostgresError) -> Bool {
        let entry = files.store.audit.noting(
            Self.action, by: "command", purpose: "\(order.incident): \(order.reason)",
            of: "(select audit_pseudonym(account) from found)", onBehalfOf: "null::uuid",
            when: "exists (select from found)")
        return try await files.store.database.queryOne(
            """
            with found as materialized (select account from incident where id = \(order.incident)), noted as (\(sql: entry))
            select exists (select from found)
            """, as: Bool.self) == true
    }

    /// Why an incident's details cannot be read.
    private func fault(of incident: UUID) async throws -> CommandMistake {
        let rest = "Steps and times are all that can be read of incident \(incident):"
        let key = try await files.store.database.queryOne(
            "select record_key from incident where id = \(incident)", as: UUID?.self)
        guard let key = key ?? nil else {
            return CommandMistake(description: "\(rest) its details do not open with the service's keys.")
        }
        do {
            guard try await keys.existingKey(of: key) == nil else {
                return CommandMistake(description: "\(rest) its details are damaged.")
            }
            return CommandMistake(description: "\(rest) its key is destroyed.")
        } catch is KeyMissing {
            return CommandMistake(
                description: "\(rest) its key is not in the key store, which is an older one or another one.")
        } catch is SecurityError {
            return CommandMistake(description: "\(rest) its key does not open with the service's keys.")
        }
    }
}
