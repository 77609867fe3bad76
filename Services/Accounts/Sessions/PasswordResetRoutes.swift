import Domain
import HTTP
import Service

/// `POST /password-resets`, which sends a link, and `POST /password-resets/complete`, which sets the new password (ACC-09).
struct PasswordResetRoutes: Sendable {
    private struct Request: Decodable { let email: EmailAddress }

    let reset: PasswordReset
    let limit: AddressLimit
    let tries: LinkTries

    func add(to routes: inout ServiceRoutes) {
        let (reset, limit, tries) = (reset, limit, tries)
        routes.answer(.post, "/password-resets", access: .anyone) { request in
            try limit.admit(request)
            try await reset.request(for: try request.body(Request.self).email)
            return HTTPResponse(.accepted)
        }
        routes.answer(.post, "/password-resets/complete", access: .secretInRequest) { request in
            try await tries.answer(request) {
                try await reset.complete(try request.body(PasswordReset.Form.self), from: request.clientAddress)
                return .noContent
            }
        }
    }
}
