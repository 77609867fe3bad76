import Primitives
import Reactor
import ServiceTesting
import Testing

@testable import Edge
@testable import Service

@Suite struct AddressLimitTests {
    private func isRefused(_ limit: AddressLimit, _ host: String) throws -> Bool {
        let address = try #require(SocketAddress(numeric: host, port: 4711))
        do throws(AddressLimit.Exceeded) {
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
        let address = SocketAddress(numeric: "192.0.2.1", port: 1)
        #expect(throws: AddressLimit.Exceeded(retryAfter: .seconds(40))) { try limit.count(address) }
        #expect(try !isRefused(limit, "192.0.2.2"))
        clock.advance(by: .seconds(40))
        #expect(try !isRefused(limit, "192.0.2.1"))
    }

    @Test("NFR-03: of IPv6 a network counts, IPv4 inside IPv6 is IPv4, and this machine is not counted")
    func networks() throws {
        let limit = AddressLimit(max: 1, window: .seconds(60), clock: TestClock())
        #expect(try !isRefused(limit, "2001:db8::1"))
        #expect(try isRefused(limit, "2001:db8::ffff:1") && !isRefused(limit, "2001:db8:0:1::1"))
        #expect(try !isRefused(limit, "192.0.2.1") && isRefused(limit, "::ffff:192.0.2.1"))
        for host in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            for _ in 0..<3 { #expect(try !isRefused(limit, host)) }
        }
        #expect(try limit.count(nil).inBlock == 0)
    }

    @Test("NFR-03: who has many networks gains little, and keeps nobody else out")
    func sites() throws {
        let limit = AddressLimit(max: 2, window: .seconds(60), clock: TestClock())
        let admitted = try (0..<100).count { try !isRefused(limit, "2001:db8:0:\($0)::1") }
        #expect(admitted == 2 * AddressLimit.siteFactor)
        #expect(try !isRefused(limit, "2001:db8:1::1"))
        #expect(try (0..<100).count { try !isRefused(limit, "192.0.2.\($0)") } == 2 * AddressLimit.siteFactor)
        #expect(try !isRefused(limit, "192.0.3.1"))
    }

    @Test("NFR-03: with many addresses counted already, new ones are counted by wider blocks instead of refused")
    func full() throws {
        let limit = AddressLimit(max: 1, window: .seconds(60), clock: TestClock(), entriesMax: 2)
        for site in 0..<2 { #expect(try !isRefused(limit, "2001:db8:\(site)::1")) }
        // No room for networks: the site counts. None for sites: the provider's block.
        #expect(try (1..<100).count { try !isRefused(limit, "2001:db8:0:\($0)::1") } == AddressLimit.siteFactor - 1)
        #expect(
            try (2..<200).count { try !isRefused(limit, "2001:db8:\($0)::1") } == AddressLimit.providerFactor)
        #expect(try !isRefused(limit, "192.0.2.1"))
        for provider in 0..<10 { #expect(try !isRefused(limit, "2001:\(provider)::1")) }
    }

    @Test("REQ-02: what is taken back does not count, and only in its own window")
    func takenBack() throws {
        let clock = TestClock()
        let limit = AddressLimit(max: 1, window: .seconds(60), clock: clock)
        let address = SocketAddress(numeric: "192.0.2.1", port: 1)
        for _ in 0..<3 {
            let counted = try limit.count(address)
            #expect(counted.inBlock == 1)
            limit.takeBack(counted)
        }
        let old = try limit.count(address)
        clock.advance(by: .seconds(60))
        try limit.count(address)
        limit.takeBack(old)
        #expect(try isRefused(limit, "192.0.2.1"))
    }
}
