import Contracts
import Domain
import Primitives
import Service

/// `trackme-accounts sources …`: the operator's acts about data-source applications (ACC-14). Each is in the audit trail.
struct SourcesCommand: Sendable {
    static let name = "sources"
    static let summary =
        "admit NAME TYPES URI … [public]: an application that delivers data of these types (heart-rate,steps), and its redirect URIs; `public` when it can keep no secret; list; secret ID: another secret; withdraw ID REASON: ends it for everybody"

    private static let usage = CommandMistake(
        description: """
            Say sources admit NAME TYPES URI … [public], sources list, sources secret ID, or sources withdraw ID REASON. TYPES are \
            data types with commas between them; each URI is https, http on this machine, or of an app's own scheme with a point \
            in it, as com.example.app:/done.
            """)

    let applications: SourceApplications

    init(store: Store) {
        applications = SourceApplications(store: store, audit: AuditTrail(database: store.database))
    }

    /// What was done. Throws `CommandMistake`: a sentence for whoever called it.
    func run(_ arguments: [String]) async throws -> String {
        do {
            switch (arguments.first, arguments.count) {
            case ("admit", 4...): return try await admit(Array(arguments.dropFirst()))
            case ("list", 1): return try await list()
            case ("secret", 2):
                let secret = try await applications.replaceSecret(
                    try Self.id(arguments[1]), by: OperatorCommand.actor)
                return "client_secret \(secret)"
            case ("withdraw", 3):
                try await applications.withdraw(
                    try Self.id(arguments[1]), reason: arguments[2], by: OperatorCommand.actor)
                return
                    "The application is withdrawn: it gets no tokens, and people are told the reason as it is taken from them."
            default: throw Self.usage
            }
        } catch let refusal as Refusal {
            throw CommandMistake(description: refusal.detail)
        }
    }

    private func admit(_ arguments: [String]) async throws -> String {
        let isPublic = arguments.last == "public"
        let types = arguments[1].split(separator: ",").map { DataType(name: String($0)) }
        let uris = arguments.dropFirst(2).dropLast(isPublic ? 1 : 0).map { RedirectURI($0) }
        guard !types.contains(nil), !uris.contains(nil) else { throw Self.usage }
        let admitted = try await applications.admit(
            .init(
                name: arguments[0], dataTypes: types.compactMap(\.self), redirectURIs: uris.compactMap(\.self),
                isPublic: isPublic), by: OperatorCommand.actor)
        return ["client_id \(admitted.id)", admitted.secret.map { "client_secret \($0)" }].compactMap(\.self)
            .joined(separator: "\n")
    }

    private func list() async throws -> String {
        let all = try await applications.list()
        guard !all.isEmpty else { return "No application is admitted." }
        return all.map { one in
            let kind = one.isPublic ? "public" : "with a secret"
            let state = one.withdrawnAt.map { "withdrawn at \($0)" } ?? "admitted"
            return "\(one.id)  \(one.name), \(kind), \(state), people: \(one.authorizations)"
        }.joined(separator: "\n")
    }

    private static func id(_ text: String) throws(CommandMistake) -> UUID {
        guard let id = UUID(text) else { throw usage }
        return id
    }
}
