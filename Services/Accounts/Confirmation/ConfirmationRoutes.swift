import Domain
import HTTP
import JSON
import Security
import Service

/// `GET /confirmations/:token`, the link in the mail, which shows a page and changes nothing, so that mail programs
/// that open links in advance confirm nothing (RFC 9110 section 9.2.1); `POST` of the same, the page's button, which
/// confirms; and `POST /confirmations`, which sends the link again.
struct ConfirmationRoutes: Sendable {
    private struct Again: Decodable { let email: EmailAddress }
    private struct Outcome: Encodable { let status: String }

    let confirmation: Confirmation

    func add(to routes: inout ServiceRoutes) {
        let confirmation = confirmation
        routes.answer(.get, "/confirmations/:token", access: .secretInRequest, query: .ignored) { request in
            var link: Confirmation.Link?
            if let token = OneTimeToken(try request.parameter("token")) { link = try await confirmation.look(token) }
            return Self.page(link)
        }
        routes.answer(.post, "/confirmations/:token", access: .secretInRequest, query: .ignored) { request in
            let type = try request.negotiate([.html, .json])
            var link: Confirmation.Link?
            if let token = OneTimeToken(try request.parameter("token")) { link = try await confirmation.confirm(token) }
            guard type == .json else { return Self.page(link) }
            guard link != nil else {
                throw Refusal(.gone, "link-expired", "This link is not valid, or no longer.")
            }
            return try .json(Outcome(status: "confirmed"))
        }
        routes.answer(.post, "/confirmations", access: .anyone) { request in
            try await confirmation.sendAgain(to: try request.body(Again.self).email)
            return HTTPResponse(.accepted)
        }
    }

    private static func page(_ link: Confirmation.Link?) -> HTTPResponse {
        .text(ConfirmationPage.html(link), as: .html, status: link == nil ? .gone : .ok)
    }
}
