import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

extension BadDays {
    /// `trackme-simulator sandbox`, which makes what third parties try their programs with.
    @Suite struct SandboxKillTests {
        /// It has accounts made, which hashes passwords, and three days of ten people uploaded.
        private static let makingMax = Duration.seconds(180)
        private static let people: Int64 = 10

        @Test(
            "NFR-09: a sandbox whose making was broken off, also between uploads, is completed by the next start, and nothing is made twice",
            .timeLimit(.minutes(10)))
        func brokenOff() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                // After the first upload of the first person, and in the middle of the second and the third one's.
                for count: Int64 in [1, 5, 8] {
                    let making = try await begin(suite)
                    try await eventually("\(count) days are uploaded", within: Self.makingMax) {
                        try await suite.stored(.ingestion, "select count(*) >= \(count) from upload")
                    }
                    making.end()
                    #expect((try? suite.directory.read("sandbox")) == nil)
                }
                var secrets: [String] = []
                for _ in 0..<2 {
                    let ending = try await begin(suite).waitForEnd(within: Self.makingMax)
                    #expect(ending == .exited(0), "\((try? suite.directory.read("simulator.log").suffix(1000)) ?? "")")
                    // Two days and today of everybody, each from one device.
                    let isWhole: SQL = """
                        select count(*) = \(Self.people) and bool_and(days >= 3) and count(distinct person) = count(*)
                        from (select person, source, count(*) as days from upload group by 1, 2) as devices
                        """
                    #expect(try await suite.stored(.ingestion, isWhole))
                    let isOneEach: SQL =
                        "select count(*) = \(Self.people) and count(distinct account) = count(*) from device"
                    #expect(try await suite.stored(.accounts, isOneEach))
                    #expect(try await suite.stored(.accounts, "select count(*) = 1 from client"))
                    secrets.append(try await program(suite))
                }
                #expect(secrets[0] != secrets[1])
            }
        }

        private func begin(_ suite: RunningSuite) async throws -> ChildProcess {
            try await ChildProcess.start(
                [
                    "\(try TestEnvironment.programs())/trackme-simulator", "sandbox", "--config-directory",
                    suite.directory.path,
                ],
                output: suite.directory.file("simulator.log"))
        }

        /// The secret in the file, by which there is a token.
        private func program(_ suite: RunningSuite) async throws -> String {
            let lines = try suite.directory.read("sandbox").split(separator: "\n")
            func value(_ name: String) throws -> String {
                String(try #require(lines.first { $0.hasPrefix("\(name)=") }).dropFirst(name.count + 1))
            }
            let (id, secret) = (try #require(UUID(try value("CLIENT_ID"))), try value("CLIENT_SECRET"))
            let token = try await API(suite.client).grantToken("client", id: id, secret: secret)
            #expect(!token.isEmpty)
            return secret
        }
    }
}
