import Contracts
import HTTP
import Postgres
import Primitives
import Reactor
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

/// Uploads over HTTP while the table of keys is away, by a clock that the test moves.
@Suite struct KeyStoreAwayTests {
    /// The time by which keys are dropped from memory, and the wall clock.
    private final class Hands: Sendable {
        let wall = TestClock(IngestionTest.start)
        private let time = Mutex(Deadline.now())
        var now: Deadline { time.withLock { $0 } }

        func advance(by duration: Duration) {
            wall.advance(by: duration)
            time.withLock { $0 = $0.advanced(by: duration) }
        }
    }

    private static let uploadsEvery = Duration.seconds(30)

    @Test(
        "SOS-05 ING-02: with the key store away for longer than keys are kept that nobody uses, uploads of whoever sends every 30 s go on; others are refused, and go on afterwards"
    )
    func uploads() async throws {
        let hands = Hands()
        try await IngestionTest.with(clock: hands.wall, keyTime: { hands.now }) { test in
            let (sender, silent, new) = (UUID.random(), UUID.random(), UUID.random())
            let devices = [sender: UUID.random(), silent: UUID.random(), new: UUID.random()]
            func send(_ number: Int64, of account: UUID) async throws -> HTTPStatus {
                let sample = heartRates([60], from: test.service.clock.now() - .seconds(1))
                return try await test.send(
                    number, [sample], device: try #require(devices[account]), of: account
                ).status
            }
            for account in [sender, silent] { #expect(try await send(1, of: account) == .ok) }
            try await test.keyStore.database.execute("alter table subject_key rename to away")

            // A key is in memory for two generations at most unless it is used.
            var (count, away) = (Int64(1), Duration.zero)
            while away < SubjectKeys.generationTime * 4 {
                hands.advance(by: Self.uploadsEvery)
                away += Self.uploadsEvery
                count += 1
                #expect(try await send(count, of: sender) == .ok)
            }
            #expect(try await send(2, of: silent) == .internalServerError)
            #expect(try await send(1, of: new) == .internalServerError)

            try await test.keyStore.database.execute("alter table away rename to subject_key")
            #expect(try await send(2, of: silent) == .ok)
            #expect(try await send(1, of: new) == .ok)
            for (account, uploads) in [(sender, Int(count)), (silent, 2), (new, 1)] {
                #expect(try await test.read(account).series.reduce(0) { $0 + $1.count } == uploads)
            }
        }
    }
}
