import Domain
import HTTP
import Primitives
import Service

/// What operators who are logged in can do, on their listener: find accounts, suspend and admit them, admit applications, provision
/// people, look at queues, at the audit trail and at AutomatedSOS's alarms, and acknowledge these. Each is in the audit trail, under the operator's name.
struct OperatorActRoutes: Sendable {
    private struct FoundAccounts: Encodable { let accounts: [AccountSearch.Found] }

    private struct SuspensionForm: Decodable {
        let isSuspended: Bool
        let reason: String
    }

    private struct AdmissionForm: Decodable {
        let isAdmitted: Bool
        let reason: String
    }

    private struct ReasonForm: Decodable { let reason: String }

    private struct ApplicationForm: Decodable {
        let name: String
        let dataTypes: [DataType]
        let redirectURIs: [String]
        let isPublic: Bool

        private enum CodingKeys: String, CodingKey {
            case name, dataTypes
            case redirectURIs = "redirect_uris"
            case isPublic
        }
    }

    private struct AdmittedApplication: Encodable {
        let clientID: UUID
        /// Shown this once; none of a public one.
        let clientSecret: String?
    }

    private struct Secret: Encodable { let clientSecret: String }

    private struct Applications: Encodable {
        struct Application: Encodable {
            let clientID: UUID
            let name: String
            let isPublic: Bool
            let withdrawnAt: Timestamp?
            let people: Int
        }

        let applications: [Application]
    }

    private struct Provisioned: Encodable { let people: Int }
    private struct Sent: Encodable { let mails: Int }

    let sessions: OperatorSessions
    let search: AccountSearch
    let admission: Admission
    let suspension: Suspension
    let applications: SourceApplications
    let queues: QueueView
    let audit: AuditView
    let people: ProvisionFile
    let alarms: SOSAlarms

    func add(to routes: inout ServiceRoutes) {
        addAccounts(to: &routes)
        addApplications(to: &routes)
        addAlarms(to: &routes)
        let (sessions, queues, audit, people) = (sessions, queues, audit, people)
        routes.act(.get, "/queues", sessions) { _, _ in try .json(try await queues.look()) }
        routes.act(.post, "/mail/sending", sessions) { request, caller in
            let reason = try request.body(ReasonForm.self).reason
            return try .json(Sent(mails: try await queues.sendMail(reason: reason, by: caller.actor)))
        }
        routes.act(.get, "/audit", sessions, query: .read) { request, caller in
            let (before, actors) = try request.parameters { (query) throws(Problem) in
                (query.value("before", as: Int64.self), query.choice("by", of: AuditView.Actors.self))
            }
            return try .json(
                try await audit.page(by: actors ?? .everybody, before: before, for: caller.actor))
        }
        routes.act(.post, "/accounts/:id/audit", sessions) { request, caller in
            let form = try request.body(AuditView.AccountForm.self)
            return try .json(try await audit.page(about: try request.parameter("id"), form, for: caller.actor))
        }
        routes.act(.post, "/people", sessions, query: .read, bodyBytesMax: OperatorRoutes.bodyBytesMax) {
            request, caller in
            _ = try request.content(among: [ProvisionFile.mediaType])
            let name = try request.parameters { (query) throws(Problem) in
                let name = try query.required("name", query.text("name"))
                if !(1...ProvisionFile.nameCharactersMax).contains(name.unicodeScalars.count) {
                    query.refuse("name", "write 1 to \(ProvisionFile.nameCharactersMax) characters")
                }
                return name
            }
            do {
                return try .json(
                    Provisioned(people: try await people.provision(request.bytes, name: name, by: caller.actor)))
            } catch let mistake as CommandMistake {
                throw Refusal(.invalid, "not-provisioned", mistake.description)
            }
        }
    }

    private func addAccounts(to routes: inout ServiceRoutes) {
        let (sessions, search, admission, suspension) = (sessions, search, admission, suspension)
        routes.act(.post, "/accounts/search", sessions) { request, caller in
            try .json(
                FoundAccounts(
                    accounts: try await search.find(try request.body(AccountSearch.Form.self), by: caller.actor)))
        }
        routes.act(.post, "/accounts/:id/suspension", sessions) { request, caller in
            let form = try request.body(SuspensionForm.self)
            try await suspension.change(
                try request.parameter("id"), isSuspended: form.isSuspended, reason: form.reason, by: caller.actor)
            return .noContent
        }
        routes.act(.post, "/accounts/:id/admission", sessions) { request, caller in
            let form = try request.body(AdmissionForm.self)
            try await admission.change(
                try request.parameter("id"), isAdmitted: form.isAdmitted, reason: form.reason, by: caller.actor)
            return .noContent
        }
    }

    private func addApplications(to routes: inout ServiceRoutes) {
        let (sessions, applications) = (sessions, applications)
        routes.act(.get, "/applications", sessions) { _, _ in
            try .json(
                Applications(
                    applications: try await applications.list().map {
                        .init(
                            clientID: $0.id, name: $0.name, isPublic: $0.isPublic, withdrawnAt: $0.withdrawnAt,
                            people: $0.authorizations)
                    }))
        }
        routes.act(.post, "/applications", sessions) { request, caller in
            let form = try request.body(ApplicationForm.self)
            let uris = try form.redirectURIs.enumerated().map { (index, text) throws(Refusal) in
                guard let uri = RedirectURI(text) else {
                    throw .invalid(
                        "/redirect_uris/\(index)",
                        "Write https, http on this machine, or an app's own scheme with a point in it.")
                }
                return uri
            }
            let admitted = try await applications.admit(
                .init(name: form.name, dataTypes: form.dataTypes, redirectURIs: uris, isPublic: form.isPublic),
                by: caller.actor)
            return try .json(
                AdmittedApplication(clientID: admitted.id, clientSecret: admitted.secret), status: .created)
        }
        routes.act(.post, "/applications/:id/secret", sessions) { request, caller in
            let secret = try await applications.replaceSecret(try request.parameter("id"), by: caller.actor)
            return try .json(Secret(clientSecret: secret))
        }
        routes.act(.post, "/applications/:id/withdrawal", sessions) { request, caller in
            try await applications.withdraw(
                try request.parameter("id"), reason: try request.body(ReasonForm.self).reason, by: caller.actor)
            return .noContent
        }
    }
    private func addAlarms(to routes: inout ServiceRoutes) {
        routes.act(.get, "/alarms", sessions) { [alarms] _, _ in try .json(try await alarms.look()) }
        routes.act(.post, "/alarms/acknowledgement", sessions) { [alarms] request, caller in
            try .json(try await alarms.acknowledge(try request.body(SOSAlarms.Form.self), by: caller))
        }
    }
}
