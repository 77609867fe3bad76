import HTTP
import Security
import Service

/// `POST /me/erasures`, which erases, and `POST /erasure-receipts`, which tells what was erased.
struct ErasureRoutes: Sendable {
    private struct Token: Decodable { let token: String }

    let erasures: Erasures
    let tries: LinkTries

    func add(to routes: inout ServiceRoutes) {
        let (erasures, tries) = (erasures, tries)
        routes.answer(.post, "/me/erasures", access: .anyLogIn) { request, caller in
            let begun = try await erasures.begin(
                try request.body(Erasures.Form.self), of: caller.account, from: request.clientAddress)
            return try HTTPResponse.json(begun, status: .accepted).uncached
        }
        let receipts = ErasureReceipts(store: erasures.store)
        routes.answer(.post, "/erasure-receipts", access: .secretInRequest) { request in
            try await tries.answer(request) {
                guard let token = OneTimeToken(try request.body(Token.self).token),
                    let receipt = try await receipts.read(token)
                else { throw Refusal.notFound }
                return try HTTPResponse.json(receipt).uncached
            }
        }
    }
}
