import Security
import HTTP
import Primitives
import Service

/// `/clients`, by third parties.
struct ClientRoutes: Sendable {
    private struct List: Encodable { let clients: [Clients.Listed] }

    let clients: Clients
    let access: Access

    func add(to routes: inout ServiceRoutes) {
        let (clients, access) = (clients, access)
        routes.answer(.post, "/clients") { request in
            let account = try await access.account(of: request, kinds: [.thirdParty])
            var response = try HTTPResponse.json(
                try await clients.create(try request.body(Clients.Form.self), for: account), status: .created)
            response.fields["Cache-Control"] = "no-store"
            return response
        }
        routes.answer(.get, "/clients") { request in
            let account = try await access.account(of: request, kinds: [.thirdParty])
            return try .json(List(clients: try await clients.list(of: account)))
        }
        routes.answer(.delete, "/clients/:id") { request in
            let account = try await access.account(of: request, kinds: [.thirdParty])
            try await clients.remove(try request.parameter("id"), of: account)
            return .noContent
        }
    }
}
