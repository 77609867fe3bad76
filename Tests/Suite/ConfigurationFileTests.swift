import HTTP
import JSON
import ProcessTesting
import Reactor
import Service
import Testing

/// The configuration files that `deploy/` writes.
@Suite struct ConfigurationFileTests {
    private static let scripts =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/deploy/lib"

    private struct File: Decodable {
        let `public`: PublicListener
    }

    private func listener(_ layout: String, trustedProxies: String?) async throws -> PublicListener {
        let scripts = Self.scripts
        return try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                let setting = trustedProxies.map { "export TRACKME_TRUSTED_PROXIES='\($0)'" } ?? ":"
                let script = """
                    set -euo pipefail; unset TRACKME_TRUSTED_PROXIES TRACKME_MAIL_RELAY TRACKME_MAIL_BOUNCES; \(setting)
                    for part in messages layout config mail; do source \(scripts)/$part.sh; done
                    unset TRACKME_BASE_URL TRACKME_CERTIFICATE_FILE
                    CLUSTER_SOCKETS=/run; ASSETS_HASH=0123456789abcdef
                    layout_use \(layout) /files /data; service_configuration accounts
                    """
                let output = directory.file("config.json")
                try await ChildProcess.run(["bash", "-c", script], output: output)
                return try JSONDecoder().decode(File.self, from: Array(try directory.read("config.json").utf8)).public
            }
        }
    }

    @Test("NFR-03: the containers' configuration names the proxies in front, so that clients are told apart")
    func trustedProxies() async throws {
        let given = try await listener("containers", trustedProxies: "172.31.81.1 fd00::/8").trustedProxies.ranges
        #expect(given.count == 2)
        let gateway = try #require(SocketAddress(numeric: "172.31.81.1", port: 1))
        let other = try #require(SocketAddress(numeric: "172.31.81.2", port: 1))
        #expect(given.first?.contains(gateway) == true && given.first?.contains(other) == false)
        #expect(try await listener("containers", trustedProxies: nil).trustedProxies.ranges.isEmpty)
        let checkout = try await listener("checkout", trustedProxies: "172.31.81.1").trustedProxies.ranges
        let nginx = try #require(SocketAddress(numeric: "127.0.0.1", port: 1))
        #expect(checkout.count == 1 && checkout.first?.contains(nginx) == true)
        #expect(checkout.first?.contains(gateway) == false)
    }

    @Test("NFR-03: services know the one address that people come to, and where the pages' static files are")
    func oneAddress() async throws {
        for layout in ["checkout", "containers"] {
            let written = try await listener(layout, trustedProxies: nil)
            #expect(written.baseURL == "http://127.0.0.1:8100")
            #expect(written.assets == "/assets/0123456789abcdef")
        }
    }
}
