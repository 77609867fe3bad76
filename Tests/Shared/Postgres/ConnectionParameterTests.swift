import Reactor
import Testing

@testable import Postgres

@Suite struct ConnectionParameterTests {
    private func candidates(
        _ text: String, path: [String] = ["a b", "c"]
    ) async throws -> [[String: String]] {
        let configuration = DatabaseConfiguration(connectionInfo: text, searchPath: path, applicationName: "test")
        return try await EventLoopGroup.withLoops(1) { _ in
            try await ConnectionParameters.candidates(configuration).map(\.values)
        }
    }

    @Test("The session's settings go into its options, escaped, after those of the connection string")
    func options() async throws {
        let values = try await candidates("host=/run/x dbname=d options='-c geqo=off'")[0]
        #expect(
            values["options"]
                == #"-c geqo=off -c search_path="a\ b","c" -c default_transaction_isolation=read\ committed -c jit=off"#
                + " -c statement_timeout=60000 -c idle_in_transaction_session_timeout=30000"
                + " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
                + " -c tcp_user_timeout=25000 -c client_connection_check_interval=5000")
        #expect(values["application_name"] == "test" && values["gssencmode"] == "disable")
        #expect(values["target_session_attrs"] == nil)
        #expect(try await candidates("host=/run/x", path: [])[0]["options"]?.contains("search_path= ") == true)
    }

    @Test("A host that is gone without a word is noticed; the connection string can say otherwise")
    func patience() async throws {
        let values = try await candidates("host=127.0.0.1 keepalives_idle=99")[0]
        #expect(values["tcp_user_timeout"] == "25000" && values["keepalives_interval"] == "5")
        #expect(values["keepalives_idle"] == "99")
    }

    @Test("Several hosts become candidates of their own, which must accept writes unless it is said otherwise")
    func hosts() async throws {
        let values = try await candidates("postgresql://user@127.0.0.1:1,[::1]:2/d")
        #expect(values.map { $0["host"] } == ["127.0.0.1", "::1"])
        #expect(values.map { $0["port"] } == ["1", "2"])
        #expect(values.allSatisfy { $0["target_session_attrs"] == "read-write" && $0["hostaddr"] == nil })
        let any = try await candidates("host=/a,/b port=5 target_session_attrs=any")
        #expect(any.map { $0["port"] } == ["5", "5"] && any.allSatisfy { $0["target_session_attrs"] == "any" })
    }

    @Test("Names are looked up beforehand, and stay for the certificate")
    func names() async throws {
        let values = try await candidates("host=localhost")
        #expect(!values.isEmpty)
        #expect(
            values.allSatisfy {
                $0["host"] == "localhost" && ($0["hostaddr"] == "127.0.0.1" || $0["hostaddr"] == "::1")
            })
    }

    @Test("A wrong connection string is a mistake in words")
    func mistakes() async throws {
        for text in ["nonsense=1", "host=a,b port=1,2,3"] {
            let error = await #expect(throws: PostgresError.self) { try await candidates(text) }
            guard case .usage = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("A refusal's SQLSTATE is found in the library's words")
    func refusals() {
        let refusal = Connection.connectFailure(
            "connection to server on socket \"/run/x/.s.PGSQL.5432\" failed: FATAL:  3D000: database \"x\" does not exist\nLOCATION:  InitPostgres, postinit.c:883\n"
        )
        #expect(refusal.sqlState == .invalidCatalogName)
        let unreachable =
            "connection to server at \"127.0.0.1\", port 1 failed: Connection refused\n\tIs the server running"
        #expect(Connection.connectFailure(unreachable) == .connection(detail: unreachable))
    }
}
