import Domain
import HTTP
import JSON
import Security
import Service

/// `POST /confirmations/confirm`, which confirms with the token of the link in a mail, and `POST /confirmations`, which sends
/// the link again.
struct ConfirmationRoutes: Sendable {
    private struct Again: Decodable { let email: EmailAddress }
    private struct Form: Decodable { let token: String }
    private struct Outcome: Encodable { let status: String }

    let confirmation: Confirmation

    func add(to routes: inout ServiceRoutes) {
        let confirmation = confirmation
        routes.answer(.post, "/confirmations/confirm", access: .secretInRequest) { request in
            guard let token = OneTimeToken(try request.body(Form.self).token), try await confirmation.confirm(token)
            else { throw Refusal(.gone, "link-expired", "This link is not valid, or no longer.") }
            return try .json(Outcome(status: "confirmed"))
        }
        routes.answer(.post, "/confirmations", access: .anyone) { request in
            try await confirmation.sendAgain(to: try request.body(Again.self).email)
            return HTTPResponse(.accepted)
        }
    }
}
