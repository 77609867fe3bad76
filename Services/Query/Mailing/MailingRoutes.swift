import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service

/// What third parties get by mail: `/query/v1/mailing`, and the link to one request's results (REQ-12).
struct MailingRoutes: Sendable {
    /// In so long one request's link is mailed once.
    static let linkPause = Duration.seconds(600)

    let store: MailingStore
    let gate: ConsentGate
    let outbox: NoticeOutbox
    let baseURL: String
    let clock: any WallClock

    func register(on routes: inout ServiceRoutes) {
        routes.on(.get, "/query/v1/mailing", access: .thirdParty(.requests), show)
        routes.on(.put, "/query/v1/mailing", access: .thirdParty(.requests), set)
        routes.on(.post, "/query/v1/requests/:id/results/mail", access: .thirdParty(.requests), mail)
    }

    private struct Form: Decodable {
        let frequency: Mailing.Frequency
        let kinds: [Event.Kind]?

        /// Errors: 422.
        func mailing() throws(Problem) -> Mailing {
            let kinds = kinds ?? Mailing().kinds
            guard !kinds.isEmpty, Set(kinds).count == kinds.count else {
                let detail = "name at least one kind, and each once"
                throw Problem(
                    .unprocessableContent, code: "invalid-request", detail: detail,
                    errors: [.init(pointer: "/kinds", detail: detail)])
            }
            return Mailing(frequency: frequency, kinds: kinds)
        }
    }

    @Sendable private func show(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        try .json(MailingView(try await store.mailing(of: requester.account) ?? Mailing()))
    }

    @Sendable private func set(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let mailing = try request.json(Form.self).mailing()
        return try .json(MailingView(try await store.set(mailing, of: requester.account)))
    }

    /// Mail is not confidential: the link needs a log-in, and the page has what `results` has.
    @Sendable private func mail(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let found = try await gate.find(try request.parameter("id"), for: requester.account)
        let (outbox, now) = (outbox, clock.now())
        let notice = Notice.results(of: found, baseURL, at: now, pause: Self.linkPause)
        try await store.database.transaction { transaction in
            try await outbox.add([notice], at: now, in: transaction)
        }
        outbox.wake()
        return HTTPResponse(.accepted)
    }
}
