import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

/// What was stored a moment ago, when a standby is promoted that lacks it.
@Suite struct RecentlyStoredTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func arrival(
        _ number: Int64, of other: UUID? = nil, samples: Int = 1, sentAt: Timestamp = IngestionTest.start,
        key: SubjectKey = .random()
    ) -> NewArrival {
        let times = (0..<samples).map { (sentAt - .seconds(5)).milliseconds + Int64($0) }
        return NewArrival(
            account: other ?? account, source: .device(device, upload: number),
            content: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32), receivedAt: sentAt,
            sentAt: sentAt,
            batch: SampleBatch(
                values: [ValueColumn(type: .heartRate, times: times, values: times.map { _ in 600 })]), key: key)
    }

    @Test(
        "SOS-07a NFR-04a: uploads that a promoted database lacks are stored again, as old as they are; the others are not"
    )
    func promoted() async throws {
        let (account, device) = (account, device)
        try await IngestionTest.with { test in
            try await test.watch(account)
            let (recent, log) = (RecentlyStored(log: test.service.context.log), test.service.log)
            let shard = test.writer(recent: recent)
            let key = try #require(try await test.keys.key(of: account))
            for number: Int64 in 1...3 {
                _ = try await shard.store(arrival(number, sentAt: IngestionTest.start + .seconds(number), key: key))
            }
            #expect(recent.count == 3)
            let store: @Sendable (NewArrival) async throws -> ArrivalOutcome = { try await shard.store($0) }
            let clock = test.service.clock
            #expect(try await recent.look("00000001", at: clock.now(), store: store) == 0)
            #expect(try await recent.look("00000001", at: clock.now(), store: store) == 0)
            // The last two did not reach the standby.
            try await test.database.batch([
                "delete from upload where upload > 1",
                """
                delete from arrival where arrival > 1 and person = (select number from person where account_id = \(account))
                """,
            ])
            let before = try await test.events(Ingestion.liveFeed, as: "dispatcher").count
            clock.advance(by: .seconds(20))
            let later = Deadline.after(.seconds(20))
            #expect(try await recent.look("00000002", at: clock.now(), now: later, store: store) == 2)
            #expect(log.lines.contains { $0.contains("lacked uploads of watched people") })
            let events = try await test.events(Ingestion.liveFeed, as: "dispatcher").dropFirst(before)
            let live = try events.map { try $0.decode(Ingestion.LiveSamples.self) }
            #expect(live.count == 2)
            for samples in live {
                // Five seconds when it was sent, and twenty since.
                let age = samples.sentAt - samples.series[0].time(0)
                #expect(age >= .seconds(24) && age < .seconds(60))
                #expect(samples.receivedAt == clock.now() && samples.deviceID == device)
            }
            #expect(try await test.database.queryOne("select count(*) from upload", as: Int.self) == 3)
            #expect(try await recent.look("00000002", at: clock.now(), store: store) == 0)
        }
    }

    @Test("SOS-07a: when the promoted database goes away in the middle, all is tried again with the next look")
    func again() async throws {
        let recent = RecentlyStored(log: Observer.silent.log)
        for number: Int64 in 1...5 { recent.keep(arrival(number)) }
        let seen = Mutex<[Int64]>([])
        _ = try await recent.look("1", at: IngestionTest.start) { _ in throw CancellationError() }
        await #expect(throws: (any Error).self) {
            try await recent.look("2", at: IngestionTest.start) { arrival in
                guard arrival.upload != 3 else { throw PostgresError.connection(detail: "away") }
                return .stored(samples: 1, dropped: DroppedTypes())
            }
        }
        let lacking = try await recent.look("2", at: IngestionTest.start) { arrival in
            seen.withLock { $0.append(arrival.upload ?? 0) }
            return .stored(samples: 1, dropped: DroppedTypes())
        }
        // Those of a person in their order.
        #expect(lacking == 5 && seen.withLock { $0 } == [1, 2, 3, 4, 5])
        // A database that does not say what it is changes nothing.
        #expect(try await recent.look(nil, at: IngestionTest.start) { _ in throw CancellationError() } == 0)
    }

    @Test("NFR-03b: so many uploads and samples are kept, and no longer than a minute")
    func bounded() {
        let recent = RecentlyStored(log: Observer.silent.log)
        let now = Deadline.now()
        for number in 0..<Int64(RecentlyStored.uploadsMax) + 100 { recent.keep(arrival(number), at: now) }
        #expect(recent.count == RecentlyStored.uploadsMax)
        recent.keep(arrival(1, samples: RecentlyStored.samplesMax / 2), at: now)
        recent.keep(arrival(2, samples: RecentlyStored.samplesMax), at: now)
        #expect(recent.count == 1)
        recent.keep(arrival(3), at: now.advanced(by: .seconds(1)))
        recent.keep(arrival(4), at: now.advanced(by: RecentlyStored.timeMax + .seconds(2)))
        #expect(recent.count == 1)
    }
}
