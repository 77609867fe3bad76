import Contracts
import LoadGenerator
import ProcessTesting
import Reactor
import Security
import Testing

extension BadDays {
    /// Uploads for about 80 s: too short to measure by, long enough to see what grows. `deploy/bench soak` goes on for half an
    /// hour, with narrower bars.
    @Suite struct SoakTests {
        /// So few that each is sealed several times, about every 500 uploads.
        private static let people = 20
        private static let connections = 16
        private static let (warmSeconds, mostSeconds, share) = (12.0, 4.0, 0.4)
        private static let (pieces, pieceSeconds) = (12, 5.0)
        private static let seed: UInt64 = 0x50a4

        /// What may grow without being a leak. A service that kept each upload, 3 KB with its head, what was read from it and the
        /// answer, would come to have more in the 35 s that are compared: at 250 uploads a second 26 MB, beside some 100 MB.
        private static let memoryGrowthMax = 1.2
        /// A service whose uploads cost more with each falls behind, and by fixed times each waits for all before it.
        private static let latencyGrowthMax = 3.0
        /// In milliseconds. Below it neighbours of the machine are measured.
        private static let latencyFloor = 25.0

        @Test(
            "NFR-02a NFR-03a ING-02: uploads that go on at a fixed rate cost the service no more memory and no more time after a minute than at its beginning",
            .timeLimit(.minutes(5)))
        func soak() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                let process = try #require(suite[.ingestion].processID)
                let port = suite[.ingestion].httpPort
                let key = try SigningKeyRing.load(suite.directory.file("signing.pem")).current
                // A thread of its own, which the load takes up.
                let (course, result, rate) = try await BlockingPool.shared.run {
                    Result { try Self.run(port, key, process) }
                }.get()
                let memory = (course.memoryAfterFirstThird, course.memoryAtEnd)
                #expect(memory.1 < memory.0 * Self.memoryGrowthMax, "from \(memory.0) to \(memory.1) MB")
                let p99 = (max(Self.latencyFloor, course.p99OfFirstThird), course.p99OfLastThird)
                #expect(p99.1 < p99.0 * Self.latencyGrowthMax, "from \(p99.0) to \(p99.1) ms")
                #expect(Double(result.good) > 0.9 * rate * Double(Self.pieces) * Self.pieceSeconds)
                #expect(result.refusedCount + result.broken <= result.good / 100, "\(result.example)")
            }
        }

        private static func run(
            _ port: UInt16, _ key: Ed25519Key, _ process: Int32
        ) throws -> (SoakCourse, LoadResult, rate: Double) {
            let tokens = try DeviceTokens(of: .device, count: people, seed: seed, key: key)
            let source = UploadSource(.live, of: 0..<people, tokens: tokens, host: "127.0.0.1:\(port)")
            let runner = try LoadRunner(host: "127.0.0.1", port: port, connections: connections, source: source)
            _ = try runner.run(.closed, for: .seconds(warmSeconds))
            // As fast as this machine is.
            let rate = share * (try runner.run(.closed, for: .seconds(mostSeconds)).rate)
            var (pieces, results): ([SoakCourse.Piece], [LoadResult]) = ([], [])
            for _ in 0..<Self.pieces {
                let result = try runner.run(.open(rate: rate), for: .seconds(pieceSeconds))
                results.append(result)
                pieces.append(.init(result, try ProcessMemory(of: process)))
            }
            return (SoakCourse(pieces), LoadResult(results), rate)
        }
    }
}
