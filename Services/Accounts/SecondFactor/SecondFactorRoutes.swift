import HTTP
import Service

/// `GET` and `POST /me/second-factor`, and below it `POST` of `/activation`, `/recovery-codes` and `/removal`.
struct SecondFactorRoutes: Sendable {
    let factor: SecondFactor

    func add(to routes: inout ServiceRoutes) {
        let factor = factor
        routes.answer(.get, "/me/second-factor", access: .anyLogIn) { _, caller in
            try .json(try await factor.state(of: caller.account))
        }
        routes.answer(.post, "/me/second-factor", access: .anyLogIn) { request, caller in
            try HTTPResponse.json(
                try await factor.begin(
                    try request.body(SecondFactor.PasswordForm.self), of: caller.account,
                    from: request.clientAddress), status: .created
            ).uncached
        }
        routes.answer(.post, "/me/second-factor/activation", access: .anyLogIn) { request, caller in
            try HTTPResponse.json(
                try await factor.activate(
                    try request.body(SecondFactor.CodeForm.self), of: caller.account, current: caller.session)
            ).uncached
        }
        routes.answer(.post, "/me/second-factor/recovery-codes", access: .anyLogIn) { request, caller in
            try HTTPResponse.json(
                try await factor.renewCodes(
                    try request.body(SecondFactor.Form.self), of: caller.account, from: request.clientAddress)
            ).uncached
        }
        routes.answer(.post, "/me/second-factor/removal", access: .anyLogIn) { request, caller in
            try await factor.remove(
                try request.body(SecondFactor.Form.self), of: caller.account, from: request.clientAddress)
            return .noContent
        }
    }
}
