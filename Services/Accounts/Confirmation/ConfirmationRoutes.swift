import Domain
import HTTP
import JSON
import Security
import Service

/// `GET /confirmations/:token`, the link in the mail, and `POST /confirmations`, which sends it again.
struct ConfirmationRoutes: Sendable {
    private struct Again: Decodable { let email: EmailAddress }
    private struct Outcome: Encodable { let status: String }

    let confirmation: Confirmation

    func add(to routes: inout ServiceRoutes) {
        let confirmation = confirmation
        routes.answer(.get, "/confirmations/:token") { request in
            let type = try request.negotiate([.html, .json])
            let token = OneTimeToken(try request.parameter("token"))
            var confirmed: Confirmation.Confirmed?
            if let token { confirmed = try await confirmation.confirm(token) }
            guard type == .html else {
                guard confirmed != nil else {
                    throw Refusal(.gone, "link-expired", "This link is not valid, or no longer.")
                }
                return try .json(Outcome(status: "confirmed"))
            }
            let page = ConfirmationPage.html(isConfirmed: confirmed != nil, confirmed?.language)
            return .text(page, as: .html, status: confirmed == nil ? .gone : .ok)
        }
        routes.answer(.post, "/confirmations") { request in
            try await confirmation.sendAgain(to: try request.body(Again.self).email)
            return HTTPResponse(.accepted)
        }
    }
}
