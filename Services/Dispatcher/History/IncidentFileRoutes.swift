import Domain
import HTTP
import Primitives
import Security
import Service
import Web

/// The file of an incident, as JSON and as a page to print (SOS-14). For the person alone; for others there is `IncidentCommand`.
struct IncidentFileRoutes: Sendable {
    let files: IncidentFiles

    func add(to routes: inout ServiceRoutes) {
        let (path, wearer) = ("/dispatcher/v1/incidents/:id", Access.account(.individual))
        routes.on(.get, "\(path)/file", access: wearer) { request, caller in
            let file = try await file(request, of: caller.account)
            return Self.saved(try .json(file), of: file.incident.id, "json")
        }
        routes.on(.get, "\(path)/file.html", access: wearer) { request, caller in
            let file = try await file(request, of: caller.account)
            let page = IncidentPage(file, in: Site.language(of: request)).text
            return Self.saved(.text(page, as: .html), of: file.incident.id, "html")
        }
    }

    private func file(_ request: HTTPRequest, of account: UUID) async throws -> IncidentFile {
        let id = try request.parameter("id", as: UUID.self)
        guard let file = try await files.file(of: id, of: account) else { throw Problem.notFound }
        return file
    }

    /// Saved rather than shown: nothing that people have written opens as a page of ours.
    private static func saved(_ response: HTTPResponse, of incident: UUID, _ suffix: String) -> HTTPResponse {
        var response = response
        response.fields["Content-Disposition"] = "attachment; filename=\"trackme-incident-\(incident).\(suffix)\""
        return response
    }
}
