import Domain
import HTTP
import JSON
import Security
import Service

/// `POST /confirmations/confirm`, which confirms with the token of the link in a mail, `POST /confirmations/question`, which tells
/// what a parent's link is about, and `POST /confirmations`, which sends the links again.
struct ConfirmationRoutes: Sendable {
    private struct Again: Decodable { let email: EmailAddress }
    private struct Form: Decodable { let token: String }
    private struct Answer: Encodable { let status: Confirmation.Outcome }

    private static let expired = Refusal(.gone, "link-expired", "This link is not valid, or no longer.")

    let confirmation: Confirmation
    /// Limits how many links one address asks for.
    let limit: AddressLimit
    let tries: LinkTries

    func add(to routes: inout ServiceRoutes) {
        let (confirmation, limit, tries) = (confirmation, limit, tries)
        routes.answer(.post, "/confirmations/confirm", access: .secretInRequest) { request in
            try await tries.answer(request) {
                guard let token = OneTimeToken(try request.body(Form.self).token),
                    let outcome = try await confirmation.confirm(token)
                else { throw Self.expired }
                return try .json(Answer(status: outcome))
            }
        }
        routes.answer(.post, "/confirmations/question", access: .secretInRequest) { request in
            try await tries.answer(request) {
                guard let token = OneTimeToken(try request.body(Form.self).token),
                    let question = try await confirmation.question(token)
                else { throw Self.expired }
                return try HTTPResponse.json(question).uncached
            }
        }
        routes.answer(.post, "/confirmations", access: .anyone) { request in
            try limit.admit(request)
            try await confirmation.sendAgain(to: try request.body(Again.self).email)
            return HTTPResponse(.accepted)
        }
    }
}
