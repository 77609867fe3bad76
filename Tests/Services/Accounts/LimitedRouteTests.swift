import Reactor
import Service
import ServiceTesting
import Testing

@testable import Accounts
@testable import HTTP

/// What can be done without a log-in is limited by client address.
@Suite struct LimitedRouteTests {
    /// The answer to a client behind a proxy.
    private func post(
        _ path: String, _ body: String, from client: String, _ test: AccountsTest
    ) async throws -> HTTPResponse {
        let proxy = HTTPPeer(
            address: SocketAddress(numeric: "10.1.2.3", port: 4711), identity: nil,
            trustedProxies: TrustedProxies(ranges: [try #require(AddressRange("10.0.0.0/8"))]))
        let plain = try HTTPRequest(
            .post, "/accounts/v1" + path, fields: ["X-Forwarded-For": client, "Content-Type": "application/json"],
            body: Array(body.utf8))
        return try await test.service.assembled.answer(
            HTTPRequest(head: plain.head, body: plain.body, peer: proxy))
    }

    @Test(
        "REQ-02b ACC-14a: who asks too often for registrations or numbers to show is refused, also behind a proxy",
        arguments: [
            ("/individuals", Registration.perAddressMax), ("/organisers", Registration.perAddressMax),
            ("/pairings", Pairings.openPerAddressMax), ("/pairings/redeem", OwnerPairings.triesPerAddressMax),
        ])
    func routes(_ path: String, _ max: Int) async throws {
        try await AccountsTest.with { test in
            func status(of client: String) async throws -> UInt16 {
                try await post(path, "{}", from: client, test).status.rawValue
            }
            for _ in 0..<max { #expect(try await status(of: "192.0.2.1") == 422) }
            let (refused, other) = (try await status(of: "192.0.2.1"), try await status(of: "192.0.2.2"))
            #expect(refused == 429 && other == 422)
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
