import HTTP
import Service

/// `GET` and `POST /me/passkeys`, `POST /me/passkeys/challenges` and `POST /me/passkeys/:id/removal`.
struct PasskeyRoutes: Sendable {
    private struct List: Encodable { let passkeys: [Passkeys.Listed] }

    let passkeys: Passkeys

    func add(to routes: inout ServiceRoutes) {
        let passkeys = passkeys
        routes.answer(.get, "/me/passkeys", access: .anyLogIn) { _, caller in
            try .json(List(passkeys: try await passkeys.list(of: caller.account)))
        }
        routes.answer(.post, "/me/passkeys/challenges", access: .anyLogIn) { request, caller in
            try HTTPResponse.json(
                try await passkeys.begin(
                    try request.body(Passkeys.PasswordForm.self), of: caller.account, from: request.clientAddress),
                status: .created
            ).uncached
        }
        routes.answer(.post, "/me/passkeys", access: .anyLogIn) { request, caller in
            try HTTPResponse.json(
                try await passkeys.add(
                    try request.body(Passkeys.Form.self), of: caller.account, current: caller.session),
                status: .created
            ).uncached
        }
        routes.answer(.post, "/me/passkeys/:id/removal", access: .anyLogIn) { request, caller in
            try await passkeys.remove(
                try request.parameter("id"), try request.body(Passkeys.PasswordForm.self), of: caller.account,
                from: request.clientAddress)
            return .noContent
        }
    }
}
