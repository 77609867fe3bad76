import HTTP
import PostgresTesting
import ProcessTesting
import Reactor
import Testing

extension BadDays {
    @Suite struct ReloadTests {
        @Test(
            "NFR-03 NFR-10: SIGHUP takes a new configuration up; a broken one leaves the old one in force and says why",
            .timeLimit(.minutes(1)))
        func reload() async throws {
            try await TestDatabase.with { test in
                try await TestDirectory.with { directory in
                    let accounts = try ServiceProgram(
                        "accounts", in: directory, database: .shared(), schema: test.schema)
                    try await accounts.running {
                        try await accounts.waitUntilReady()
                        try accounts.reload { $0.replacing(#""level": "info""#, with: #""level": "loud""#) }
                        try await accounts.waitForLog("configuration not read again: the old one holds")
                        #expect(try accounts.log.contains("$.log.level"))
                        #expect(try await accounts.ask("/readyz").status == .ok)
                        #expect(try !accounts.log.contains("http request"))
                        try accounts.reload {
                            $0.replacing(#""level": "loud""#, with: #""level": "debug""#)
                                .replacing(#""loops": 1"#, with: #""loops": 2"#)
                        }
                        try await accounts.waitForLog(#""settings":["loops"]"#)
                        _ = try await accounts.send(.get, "/accounts/v1/terms")
                        try await accounts.waitForLog("http request")
                    }
                }
            }
        }
    }
}
