import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts
@testable import HTTP

/// What can be done without a log-in is limited by client address.
@Suite struct LimitedRouteTests {
    private static let secret =
        "a secret of 256 bits, which nobody guesses: one look-up by its index, and one client that sends "
    private static let others =
        "wrong ones must not keep the devices and sessions of others at its address from their tokens"

    /// The request as a proxy hands it on, which tells the client in a field.
    private static func proxied(_ request: HTTPRequest) throws -> HTTPRequest {
        let proxy = HTTPPeer(
            address: SocketAddress(numeric: "10.1.2.3", port: 4711), identity: nil,
            trustedProxies: TrustedProxies(ranges: [try #require(AddressRange("10.0.0.0/8"))]))
        return HTTPRequest(head: request.head, body: request.body, peer: proxy)
    }

    /// The answer to a client behind a proxy.
    private func post(
        _ path: String, _ body: String, from client: String, _ test: AccountsTest
    ) async throws -> HTTPResponse {
        let plain = try HTTPRequest(
            .post, "/accounts/v1" + path, fields: ["X-Forwarded-For": client, "Content-Type": "application/json"],
            body: Array(body.utf8))
        return try await test.service.assembled.answer(try Self.proxied(plain))
    }

    @Test("NFR-03 REQ-02b ACC-14a: what works without a log-in refuses who asks for it too often, also behind a proxy")
    func routes() async throws {
        let login: @Sendable (Int) -> String = { #"{"login":"nobody\#($0)@example.org","password":"wrong horse"}"# }
        let token: @Sendable (Int) -> String = { _ in "{\"token\":\"\(OneTimeToken.random().text)\"}" }
        let refresh = Self.secret + Self.others
        try await AccountsTest.with { test in
            let faults = try await LimitWalk.faults(
                in: test.service.assembled,
                limited: [
                    "POST /accounts/v1/individuals": .init(Registration.perAddressMax),
                    "POST /accounts/v1/third-parties": .init(Registration.perAddressMax),
                    "POST /accounts/v1/organisers": .init(Registration.perAddressMax),
                    "POST /accounts/v1/confirmations": .init(Confirmation.perAddressMax) {
                        #"{"email":"nobody\#($0)@example.org"}"#
                    },
                    "POST /accounts/v1/confirmations/confirm": .init(LinkTries.wrongPerAddressMax, body: token),
                    "POST /accounts/v1/confirmations/question": .init(LinkTries.wrongPerAddressMax, body: token),
                    "POST /accounts/v1/password-resets": .init(PasswordReset.perAddressMax) {
                        #"{"email":"nobody\#($0)@example.org"}"#
                    },
                    "POST /accounts/v1/password-resets/complete": .init(LinkTries.wrongPerAddressMax) { _ in
                        """
                        {"token":"\(OneTimeToken.random().text)","new_password":"another horse battery",
                         "new_password_again":"another horse battery"}
                        """
                    },
                    "POST /accounts/v1/erasure-receipts": .init(LinkTries.wrongPerAddressMax, body: token),
                    // A search for nothing, which is refused, counts as well.
                    "GET /accounts/v1/places": .init(PlaceRoutes.searchesPerAddressMax),
                    "POST /accounts/v1/sessions": .init(Login.wrongPerAddressMax, body: login),
                    "POST /accounts/v1/browser-session": .init(
                        Login.wrongPerAddressMax,
                        fields: [
                            "Content-Type": "application/json", "TrackMe-Request": "page",
                            "Sec-Fetch-Site": "same-origin",
                        ], body: login),
                    "POST /accounts/v1/pairings": .init(Pairings.openPerAddressMax),
                    "POST /accounts/v1/pairings/redeem": .init(OwnerPairings.triesPerAddressMax),
                ],
                unlimited: [
                    "GET /accounts/v1/terms": "the same text for everybody, from memory",
                    "GET /accounts/v1/terms/:kind/:version": "the same texts for everybody, from memory",
                    "GET /accounts/v1/places/:code": "one look-up in memory",
                    "GET /accounts/v1/.well-known/jwks.json": "the same for everybody, from memory",
                    "POST /accounts/v1/oauth/token": refresh,
                    "POST /accounts/v1/sessions/refresh": refresh,
                    "POST /accounts/v1/browser-session/refresh": refresh,
                    "DELETE /accounts/v1/browser-session": refresh,
                    "POST /accounts/v1/pairings/:id/claim": refresh,
                ], proxied: Self.proxied)
            #expect(faults == [])
        }
    }

    @Test("ACC-06b: tokens of links that are not good are counted together, and good ones never")
    func links() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let good = "{\"token\":\"\(try await test.linkToken())\"}"
            func status(_ path: String, _ body: String) async throws -> UInt16 {
                try await post(path, body, from: "192.0.2.1", test).status.rawValue
            }
            // More people than the limit behind one address.
            for _ in 0...LinkTries.wrongPerAddressMax {
                #expect(try await status("/confirmations/confirm", good) == 200)
            }
            // What is wrong with the rest of a form is not the token's fault.
            #expect(try await test.forget(TestPerson().email).status == 202)
            let reset = try await test.linkToken("reset")
            let weak = "{\"token\":\"\(reset)\",\"new_password\":\"short\",\"new_password_again\":\"short\"}"
            for _ in 0...LinkTries.wrongPerAddressMax {
                #expect(try await status("/password-resets/complete", weak) == 422)
                #expect(try await status("/confirmations/confirm", "{}") == 422)
            }
            let paths = ["/confirmations/confirm", "/confirmations/question", "/erasure-receipts"]
            for number in 0..<LinkTries.wrongPerAddressMax {
                let wrong = "{\"token\":\"\(OneTimeToken.random().text)\"}"
                #expect([404, 410].contains(try await status(paths[number % paths.count], wrong)))
            }
            #expect(try await status("/confirmations/confirm", good) == 429)
            test.clock.advance(by: LinkTries.window)
            #expect(try await status("/confirmations/confirm", good) == 200)
        }
    }

    @Test("ACC-14a: who asks for many numbers leaves some to others")
    func sharedNumbers() async throws {
        try await AccountsTest.with { test in
            try await test.showNumbers(Pairings.openOfFrequentMax - Pairings.fewMax)
            func status(of client: String) async throws -> UInt16 {
                try await post("/pairings", #"{"name":"Watch","data_types":["position"]}"#, from: client, test).status
                    .rawValue
            }
            for network in 0..<Pairings.fewMax { #expect(try await status(of: "2001:db8:0:\(network)::1") == 201) }
            #expect(try await status(of: "2001:db8:0:9::1") == 503)
            #expect(try await status(of: "2001:db8:1::1") == 201)
            #expect(try await status(of: "192.0.2.1") == 201)
        }
    }
}
