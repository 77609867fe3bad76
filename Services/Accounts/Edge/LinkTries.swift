import HTTP
import Primitives
import Reactor
import Service

/// Bounds the tokens of mailed links that one client address sends and that are not good, to whichever route. Nobody guesses such a
/// token, but each try is a question to the database. Good ones do not count: many people may share an address.
struct LinkTries: Sendable {
    /// In each replica.
    static let wrongPerAddressMax = 60
    static let window = Duration.seconds(3600)

    private let limit: AddressLimit

    init(clock: any WallClock) {
        limit = AddressLimit(max: Self.wrongPerAddressMax, window: Self.window, clock: clock)
    }

    /// Answers a request with the token of a link; counts it if the token is not good. Throws `too-many-tries`.
    func answer(
        _ request: HTTPRequest, _ use: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let counted = try limit.admit(request)
        do {
            let response = try await use()
            limit.takeBack(counted)
            return response
        } catch {
            // Of a good one too weak a password may be sent, say; or nothing is known of the token.
            if !Self.isOfToken(error) { limit.takeBack(counted) }
            throw error
        }
    }

    /// Whether it is refused because of the token.
    private static func isOfToken(_ error: any Error) -> Bool {
        guard let refusal = error as? Refusal else { return false }
        return refusal.kind == .gone || refusal.kind == .notFound
    }
}
