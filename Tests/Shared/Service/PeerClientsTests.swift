import Reactor
@testable import Service
import Testing

@Suite struct PeerClientsTests {
    private func spread(_ addresses: [String]) throws -> [String] {
        let found = try addresses.map { try #require(SocketAddress(numeric: $0, port: 9103)) }
        return PeerClients.spread(Endpoint(host: "query", port: 9103), over: found).map(\.description)
    }

    @Test("NFR-03: a name that stands for several addresses counts as as many replicas, in whatever order they come")
    func several() throws {
        let expected = ["10.0.0.1:9103", "10.0.0.2:9103", "10.0.0.3:9103"]
        #expect(try spread(["10.0.0.3", "10.0.0.1", "10.0.0.2", "10.0.0.1"]) == expected)
        #expect(try spread(["10.0.0.2", "10.0.0.3", "10.0.0.1"]) == expected)
        #expect(try spread(["fd00::2", "fd00::1"]) == ["[fd00::1]:9103", "[fd00::2]:9103"])
    }

    @Test("one address, or one of each family, stays the name, which is looked up for each connection")
    func one() throws {
        #expect(try spread(["10.0.0.1"]) == ["query:9103"])
        #expect(try spread(["::1", "127.0.0.1"]) == ["query:9103"])
        #expect(try spread([]) == ["query:9103"])
    }

    @Test("of a name with very many addresses some are used")
    func bounded() throws {
        #expect(try spread((1...200).map { "10.0.0.\($0)" }).count == PeerClients.addressesMax)
    }
}
