import HTTP
import Security
import Service

/// `GET /me/consents` and `PATCH /me/consents`.
struct ConsentRoutes: Sendable {
    let consents: Consents

    func add(to routes: inout ServiceRoutes) {
        let consents = consents
        routes.answer(.get, "/me/consents", access: .logIn(.individual)) { _, caller in
            try .json(try await consents.own(caller.account))
        }
        routes.answer(.patch, "/me/consents", access: .logIn(.individual)) { request, caller in
            try .json(try await consents.change(caller.account, try request.body(Consents.Change.self)))
        }
    }
}
