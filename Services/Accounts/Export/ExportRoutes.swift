import HTTP
import Service

/// `POST` and `GET /me/exports`, `DELETE /me/exports/:id`, and `POST /me/exports/:id/archive`, which hands the archive over.
struct ExportRoutes: Sendable {
    private struct List: Encodable { let exports: [DataExports.Listed] }

    let exports: DataExports

    func add(to routes: inout ServiceRoutes) {
        let exports = exports
        routes.answer(.post, "/me/exports", access: .anyLogIn) { _, caller in
            try .json(try await exports.request(for: caller.account), status: .accepted)
        }
        routes.answer(.get, "/me/exports", access: .anyLogIn) { _, caller in
            try .json(List(exports: try await exports.list(of: caller.account)))
        }
        routes.answer(.delete, "/me/exports/:id", access: .anyLogIn) { request, caller in
            try await exports.remove(try request.parameter("id"), of: caller.account)
            return .noContent
        }
        routes.answer(.post, "/me/exports/:id/archive", access: .anyLogIn) { request, caller in
            try await exports.archive(
                try request.parameter("id"), try request.body(DataExports.Form.self), of: caller.account,
                from: request.clientAddress)
        }
    }
}
