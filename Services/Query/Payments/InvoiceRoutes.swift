import Contracts
import HTTP
import Primitives
import Service

/// A third party's invoices: `/query/v1/invoices` (PAY-01).
struct InvoiceRoutes: Sendable {
    let store: InvoiceStore

    func register(on routes: inout ServiceRoutes) {
        routes.on(.get, "/query/v1/invoices", access: .thirdParty(.requests), query: .read, list)
        routes.on(.get, "/query/v1/invoices/:id", access: .thirdParty(.requests), show)
    }

    @Sendable private func list(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let (after, limit, state) = try request.parameters { (query) throws(Problem) in
            (
                query.cursor(as: ListPosition.self),
                query.number("limit", 1...PageQuery.limitMax) ?? PageQuery.limitDefault,
                query.choice("state", of: Invoice.State.self)
            )
        }
        let invoices = try await store.invoices(
            of: requester.account, in: state, after: after, limit: limit + 1, in: store.database)
        return try .json(
            Page("invoices", invoices.map(InvoiceView.init), limit: limit) { ListPosition($0.createdAt, $0.id) })
    }

    @Sendable private func show(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let invoice = try await store.invoice(
            try request.parameter("id"), of: requester.account, in: store.database)
        guard let invoice else { throw Problem.notFound }
        return try .json(InvoiceView(invoice))
    }
}
