import Contracts
import Domain
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import Security
import SuiteClient
import Testing

extension BadDays {
    @Suite struct ImportKillTests {
        private static let points = 150_000
        static let begin = Timestamp("2026-05-01T07:00:00Z")!

        @Test(
            "ING-04g NFR-03b: ingestion killed while it reads a file: another process goes on, and every sample is there once",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                let person = try await suite.client.call(
                    Accounts.Provision.self, of: .accounts,
                    .init(population: People.population, people: [try People.person(1)])
                ).people[0]
                let api = try await Self.api(of: person.accountID, suite)
                let id = try await api.sendFile(Self.file(), type: .gpx)
                try await eventually("something is stored") {
                    let status = try await api.importStatus(id)
                    #expect(status.state != "done", "the file is too short for this test")
                    return status.report.total > 0 && status.report.total < Self.points
                }
                suite[.ingestion].kill()
                try await suite[.ingestion].start()
                // The lease of the process that is gone has to pass first.
                let report = try await eventually("The import is not done", within: .patience) {
                    () async throws(SuiteError) -> ImportReport? in
                    try await unlessAway { () async throws(SuiteError) in
                        let status = try await api.importStatus(id)
                        return status.state == "done" ? status.report : nil
                    } ?? nil
                }
                #expect(report.count(.heartRate) == Self.points && report.repeated == 0)
                let query = try suite[.ingestion].client(as: "query", loops: suite.loops)
                #expect(try await query.heartRateTimes(of: person.accountID).count == Self.points)
                await query.close()
            }
        }

        /// The API with a token of the person's. Right after its start ingestion may not have the keys that tokens are checked with.
        static func api(of account: UUID, _ suite: RunningSuite) async throws -> API {
            let key = try SigningKeyRing.load(suite.directory.file("signing.pem")).current
            let now = Timestamp.now()
            let token = try TokenSigner(key: key).sign(
                TokenClaims(
                    issuer: "trackme-accounts", subject: account, audience: ["trackme"], expiresAt: now + .seconds(600),
                    issuedAt: now, identifier: .random(), kind: .individual, scopes: [], session: .random()))
            let api = API(suite.client, token: token)
            try await eventually("ingestion can check tokens") { () async throws -> Bool in
                do throws(SuiteError) { _ = try await api.latest() } catch { return error.code != "keys-unavailable" }
                return true
            }
            return api
        }

        /// One heart rate a second from `begin`.
        static func file(_ points: Int = points) -> [UInt8] {
            var text = Array("type,time,value\n".utf8)
            for second in 0..<points {
                text += "heart-rate,\(begin + .seconds(second)),\(60 + second % 40)\n".utf8
            }
            return text
        }
    }
}
