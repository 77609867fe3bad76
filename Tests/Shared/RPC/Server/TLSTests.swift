import RPC
import Reactor
import Testing

/// Who may connect, by certificate.
@Suite struct TLSTests {
    private func code(as name: String?, service: String = "accounts", _ test: TestServer) async throws -> RPCError.Code?
    {
        let tls = try TestCertificates.client(name)
        var code: RPCError.Code?
        try await test.withClient(tls: tls, change: { $0.service = service }) { client in
            do {
                _ = try await client.call(Guarded.self, Empty())
            } catch let error as RPCError {
                code = error.code
            }
        }
        return code
    }

    private func run(_ body: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run(tls: TestCertificates.server(), body)
    }

    @Test("NFR-05b: a client is known by its certificate, and the server by its own")
    func known() async throws {
        try await run { test in
            let refusal = try await code(as: "query", test)
            #expect(refusal == nil)
            let tls = try TestCertificates.client("track4run")
            try await test.withClient(tls: tls) { client in
                let caller = try await client.call(Describe.self, Empty()).caller
                #expect(caller == "track4run")
            }
        }
    }

    @Test("NFR-05: a client that may not call the method")
    func forbidden() async throws {
        try await run { test in
            let refusal = try await code(as: "ingestion", test)
            #expect(refusal == .notAllowed)
        }
    }

    @Test("NFR-05b: a client whose certificate is valid but names nobody known")
    func unknown() async throws {
        try await run { test in
            let refusal = try await code(as: "dispatcher", test)
            #expect(refusal == .notAllowed)
            #expect("\(test.events.refusedClients)".contains("dispatcher"))
        }
    }

    @Test(
        "NFR-05b: clients without a certificate, with a foreign one, and with an expired one",
        arguments: [nil, "foreign", "expired"])
    func refused(name: String?) async throws {
        try await run { test in
            let refusal = try await code(as: name, test)
            #expect(refusal == .unavailable)
            let other = try await code(as: "query", test)
            #expect(other == nil)
        }
    }

    @Test("NFR-05b: a server that is not the service that is meant")
    func wrongServer() async throws {
        try await run { test in
            let refusal = try await code(as: "query", service: "ingestion", test)
            #expect(refusal == .unavailable)
        }
    }
}
