import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import SuiteClient
import Synchronization
import Testing

extension BadDays {
    /// Devices that know nothing of their owner's leaving (ACC-12).
    @Suite struct LeavingDeviceTests {
        private static let followers: [ServiceName] = [.ingestion, .query, .dispatcher, .track4run]

        /// A device that uploads several times a second, whatever it is told, and asks for a token when its own is refused.
        private final class Uploader: Sendable {
            struct State {
                var stored = 0
                /// Refusals of uploads that were begun when the erasure was complete.
                var refusedSince = 0
                var tokensRefusedSince = 0
                var isComplete = false
                var isOver = false
                /// What must not be answered.
                var surprises: [String] = []
            }

            let state = Mutex(State())
            let device: Device
            private let secret: String
            private let suite: RunningSuite

            init(_ individual: Individual, _ suite: RunningSuite) async throws {
                self.suite = suite
                let anybody = API(suite.client)
                let pairing = try await anybody.patient.openPairing(name: "Band", types: [.heartRate])
                let id = try await individual.api.patient.acceptPairing(code: pairing.code)
                secret = try await anybody.patient.claim(pairing).deviceSecret
                device = Device(
                    id: id,
                    api: anybody.with(token: try await anybody.patient.grantToken("device", id: id, secret: secret)))
            }

            func run() async {
                var wasRefused = false
                while !Task.isCancelled, !state.withLock({ $0.isOver }) {
                    let isComplete = state.withLock { $0.isComplete }
                    let number = device.nextNumber()
                    do throws(SuiteError) {
                        _ = try await device.send([.heartRate(60 + Double(number % 40))], number: number)
                        state.withLock { state in
                            state.stored += 1
                            if wasRefused || isComplete { state.surprises.append("upload \(number) was stored") }
                        }
                    } catch {
                        // The test is over.
                        guard !Task.isCancelled else { return }
                        wasRefused = true
                        state.withLock { state in
                            if isComplete { state.refusedSince += 1 }
                            if !Self.isClear(error) { state.surprises.append(error.description) }
                        }
                        await askForToken(isComplete)
                    }
                    do throws(IOError) { try await EventLoop.current?.sleep(for: .milliseconds(100)) } catch { return }
                }
            }

            /// By the token, once the revocation is heard, or by the account.
            private static func isClear(_ error: SuiteError) -> Bool {
                guard case .refused(_, let status, let code, let detail) = error, !detail.isEmpty else { return false }
                return code == "account-erased" && status == .gone || code == "invalid-token" && status == .unauthorized
            }

            private func askForToken(_ isComplete: Bool) async {
                do throws(SuiteError) {
                    _ = try await API(suite.client).grantToken("device", id: device.id, secret: secret)
                    state.withLock { $0.surprises.append("an erased person's device gets a token") }
                } catch {
                    guard !Task.isCancelled else { return }
                    state.withLock { state in
                        if isComplete { state.tokensRefusedSince += 1 }
                        if error.code != "invalid_client" { state.surprises.append(error.description) }
                    }
                }
            }

            func reached(_ what: String, _ holds: (State) -> Bool) async throws {
                try await eventually(what) { state.withLock { holds($0) } }
            }
        }

        @Test(
            "ACC-12b ACC-12c ING-02: devices that go on uploading while their owner leaves are refused in words, and nothing of theirs is stored or comes back",
            .timeLimit(.minutes(5)))
        func goesOn() async throws {
            try await RunningSuite.with(ServiceName.allCases) { suite in
                var newcomers = Newcomers()
                let (_, program) = try await suite.thirdParty(&newcomers)
                let leaving = try await suite.personWithEverything(program, &newcomers)
                let staying = try await suite.personWithEverything(program, &newcomers)
                let uploaders = [
                    try await Uploader(leaving.individual, suite), try await Uploader(leaving.individual, suite),
                ]
                try await beside(uploaders.map { uploader in { await uploader.run() } }) {
                    for uploader in uploaders { try await uploader.reached("it uploads") { $0.stored >= 10 } }
                    let begun = try await leaving.individual.api.patient.erase(password: RunningSuite.password)
                    let receipt = try await suite.completedReceipt(begun.receiptToken)
                    for uploader in uploaders { uploader.state.withLock { $0.isComplete = true } }
                    #expect((receipt.items(of: .ingestion)["recent-uploads"]?.count ?? 0) >= 20)
                    #expect(receipt.items(of: .accounts)["devices"]?.count == 3)
                    try await refuse(uploaders, 10)
                    try await suite.isGone(leaving.individual.id)

                    // The second pass is due now rather than 20 minutes later.
                    for service in Self.followers { try await makeSecondPassDue(leaving.individual.id, service, suite) }
                    for service in Self.followers {
                        try await eventually("\(service) has done its second pass") {
                            try await suite.stored(
                                service,
                                """
                                select bool_and(swept_at is not null) from erasure where account = \(leaving.individual.id)
                                """)
                        }
                    }
                    try await refuse(uploaders, 20)
                    try await suite.isGone(leaving.individual.id, sweptToo: true)
                    for service in ServiceName.allCases {
                        #expect(try await !suite.hasKey(of: leaving.individual.id, service), "\(service)")
                    }
                    for uploader in uploaders { uploader.state.withLock { $0.isOver = true } }
                }
                for uploader in uploaders { #expect(uploader.state.withLock { $0.surprises } == []) }
                try await suite.isNowhere(leaving)
                // Nobody else is concerned.
                try await staying.device.upload([.heartRate(62)])
                let query = try suite[.ingestion].client(as: "query", loops: suite.loops)
                #expect(try await query.heartRateTimes(of: staying.individual.id).count == 2)
                await query.close()
            }
        }

        /// Waits until so many uploads of each, begun since the erasure was complete, were refused.
        private func refuse(_ uploaders: [Uploader], _ count: Int) async throws {
            for uploader in uploaders {
                try await uploader.reached("uploads and tokens are refused") {
                    $0.refusedSince >= count && $0.tokensRefusedSince >= count
                }
            }
        }

        private func makeSecondPassDue(_ account: UUID, _ service: ServiceName, _ suite: RunningSuite) async throws {
            let database = suite.cluster.database(schema: service.rawValue)
            try await database.execute(
                "update erasure set erased_at = erased_at - interval '21 minutes' where account = \(account)")
            await database.close()
        }
    }
}
