import Contracts
import HTTP
import JSON
import PostgresTesting
import ProcessTesting
import RPC
import Reactor
import Security
import Testing

extension BadDays {
    @Suite struct ReloadTests {
        @Test(
            "NFR-03 NFR-10: SIGHUP takes a new configuration up; a broken one leaves the old one in force and says why",
            .timeLimit(.minutes(5)))
        func reload() async throws {
            try await ServiceProgram.ready("accounts") { accounts, _ in
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

        @Test(
            "NFR-03 ACC-16: SIGHUP publishes a new signing key beside the old one, without a restart",
            .timeLimit(.minutes(5)))
        func signingKey() async throws {
            try await ServiceSchemas.with { schemas, test in
                try await TestDirectory.with { directory in
                    let accounts = try ServiceProgram(
                        "accounts", in: directory, database: .shared(), schemas: schemas)
                    let old = try Ed25519Key.load(file: directory.file("signing.pem")).publicKey
                    let new = Ed25519Key.random()
                    try await accounts.running {
                        try await accounts.waitUntilReady()
                        let client = try accounts.client(as: "query", loops: test.loops)
                        func published() async throws -> [Ed25519PublicKey] {
                            let answer = try await client.call(Accounts.Keys.self, Empty())
                            let keys = try JSONDecoder().decode(JSONWebKeySet.self, from: answer.keySet.bytes)
                            return [old, new.publicKey].filter { keys[$0.thumbprint] != nil }
                        }
                        #expect(try await published() == [old])
                        try directory.write("signing.pem", new.pem)
                        try accounts.reload()
                        try await eventually("both are published") { try await published() == [old, new.publicKey] }
                        await client.close()
                    }
                }
            }
        }
    }
}
