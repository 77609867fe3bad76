import Security
import HTTP
import Primitives
import Service

/// `/clients`, by third parties.
struct ClientRoutes: Sendable {
    private struct List: Encodable { let clients: [Clients.Listed] }

    let clients: Clients

    func add(to routes: inout ServiceRoutes) {
        let clients = clients
        routes.answer(.post, "/clients", access: .logIn(.thirdParty)) { request, caller in
            try HTTPResponse.json(
                try await clients.create(try request.body(Clients.Form.self), for: caller.account), status: .created
            ).uncached
        }
        routes.answer(.get, "/clients", access: .logIn(.thirdParty)) { _, caller in
            try .json(List(clients: try await clients.list(of: caller.account)))
        }
        routes.answer(.delete, "/clients/:id", access: .logIn(.thirdParty)) { request, caller in
            try await clients.remove(try request.parameter("id"), of: caller.account)
            return .noContent
        }
    }
}
