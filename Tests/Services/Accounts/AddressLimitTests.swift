import JSON
import Primitives
import Reactor
import Service
import ServiceTesting
import Testing

@testable import Accounts
@testable import HTTP

@Suite struct AddressLimitTests {
    private func address(_ host: String) throws -> SocketAddress {
        try #require(SocketAddress(numeric: host, port: 4711))
    }

    private func isRefused(_ limit: AddressLimit, _ host: String) throws -> Bool {
        let address = try address(host)
        do throws(Refusal) {
            try limit.count(address)
            return false
        } catch { return true }
    }

    @Test("NFR-03: so many in a window from one address, whatever others do")
    func window() throws {
        let clock = TestClock()
        let limit = AddressLimit(max: 2, window: .seconds(60), clock: clock)
        for _ in 0..<2 { #expect(try !isRefused(limit, "192.0.2.1")) }
        clock.advance(by: .seconds(20))
        do throws(Refusal) { try limit.count(SocketAddress(numeric: "192.0.2.1", port: 1)) } catch {
            #expect(error.kind == .tooManyTries && error.retryAfter == .seconds(40))
        }
        #expect(try !isRefused(limit, "192.0.2.2"))
        clock.advance(by: .seconds(40))
        #expect(try !isRefused(limit, "192.0.2.1"))
    }

    @Test("NFR-03: of IPv6 a customer's network counts, IPv4 inside IPv6 is IPv4, and this machine is not counted")
    func networks() throws {
        let limit = AddressLimit(max: 1, window: .seconds(60), clock: TestClock())
        #expect(try !isRefused(limit, "2001:db8::1"))
        #expect(try isRefused(limit, "2001:db8::ffff:1") && !isRefused(limit, "2001:db8:0:1::1"))
        #expect(try !isRefused(limit, "192.0.2.1") && isRefused(limit, "::ffff:192.0.2.1"))
        for host in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            for _ in 0..<3 { #expect(try !isRefused(limit, host)) }
        }
    }

    @Test(
        "REQ-02 ACC-14: who asks too often for registrations or numbers to show is refused, also behind a proxy",
        arguments: [
            ("/individuals", Registration.perAddressMax), ("/organisers", Registration.perAddressMax),
            ("/pairings", Pairings.openPerAddressMax),
        ])
    func routes(_ path: String, _ max: Int) async throws {
        try await AccountsTest.with { test in
            let proxy = HTTPPeer(
                address: try address("10.1.2.3"), identity: nil,
                trustedProxies: TrustedProxies(ranges: [try #require(AddressRange("10.0.0.0/8"))]))
            func status(of client: String) async throws -> UInt16 {
                let plain = try HTTPRequest(
                    .post, "/accounts/v1" + path,
                    fields: ["X-Forwarded-For": client, "Content-Type": "application/json"], body: Array("{}".utf8))
                let request = HTTPRequest(head: plain.head, body: plain.body, peer: proxy)
                return await test.service.assembled.http.handle(request).status.rawValue
            }
            for _ in 0..<max { #expect(try await status(of: "192.0.2.1") == 400) }
            #expect(try await status(of: "192.0.2.1") == 429)
            #expect(try await status(of: "192.0.2.2") == 400)
        }
    }
}
