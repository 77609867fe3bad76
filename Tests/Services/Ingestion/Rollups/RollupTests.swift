import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Telemetry
import Testing

@testable import Ingestion

@Suite struct RollupTests {
    /// Of the service: rollups, weekly reports, silent devices, tidying, second passes of erasures, counting of imports,
    /// retention, watched people, promotions, tokens, and three of the audit trail.
    private let periodicTasks: UInt64 = 14

    private typealias Value = IngestionTest.RollupValue

    @Test("GRP-09: a person's mean of a rate and sum of a counter per UTC day, without sensors that touched nobody")
    func closes() async throws {
        try await IngestionTest.with { test in
            let (one, two) = (try await test.counted(7), try await test.counted(8))
            let midnight = Timestamp("2026-11-19T00:00:00Z")!
            _ = try await test.upload(
                1, [heartRates([60, 70, 0, 80, 90], from: midnight - .seconds(2))], device: one.device, of: one.account)
            _ = try await test.upload(
                2, [heartRates([100], from: midnight), single(.steps, 30, at: midnight)], device: one.device,
                of: one.account)
            _ = try await test.upload(
                1, [single(.steps, 5, at: midnight), single(.steps, 6, at: midnight + .seconds(3))], device: two.device,
                of: two.account)
            // Nobody knows this person's number yet.
            _ = try await test.upload(1, [heartRates([60], from: midnight)], device: .random(), of: .random())
            #expect(try await test.close(through: "2026-11-19") == 4)
            let expected: Set<Value> = [
                Value(type: .heartRate, day: "2026-11-18", subject: 7, value: 65),
                Value(type: .heartRate, day: "2026-11-19", subject: 7, value: 90),
                Value(type: .steps, day: "2026-11-19", subject: 7, value: 30),
                Value(type: .steps, day: "2026-11-19", subject: 8, value: 11),
            ]
            #expect(try await test.rollups() == expected)
        }
    }

    @Test("A day is closed once: closing it again and what arrives late change nothing")
    func once() async throws {
        try await IngestionTest.with { test in
            let one = try await test.counted(7)
            let noon = Timestamp("2026-11-18T12:00:00Z")!
            _ = try await test.upload(1, [heartRates([60], from: noon)], device: one.device, of: one.account)
            #expect(try await test.close(through: "2026-11-18") == 1)
            _ = try await test.upload(2, [heartRates([90], from: noon)], device: one.device, of: one.account)
            #expect(try await test.close(through: "2026-11-18") == 0)
            #expect(try await test.close(through: "2026-11-19") == 0)
            #expect(try await test.rollups().map(\.value) == [60])
            let error = await #expect(throws: RPCError.self) { try await test.close(through: "2026-11-20") }
            #expect(error?.code == .invalidParams)
        }
    }

    @Test(
        "GRP-09: days close by themselves 48 hours after their end where it is latest, but not while held",
        arguments: [false, true])
    func byThemselves(hold: Bool) async throws {
        try await IngestionTest.with(hold: hold) { test in
            let one = try await test.counted(7)
            let noon = Timestamp("2026-11-18T12:00:00Z")!
            _ = try await test.upload(1, [heartRates([60], from: noon)], device: one.device, of: one.account)
            // As at the end of the day in which it arrived.
            try await test.seal(one.account)
            // It is 20 November, 10:00: the day ended 22 hours ago where it ends last.
            test.service.start()
            #expect(await test.service.pacing.reached(pauses: periodicTasks))
            #expect(try await test.rollups().isEmpty)
            test.service.clock.advance(by: .seconds(26 * 3600))
            test.service.pacing.tick()
            #expect(await test.service.pacing.reached(pauses: 2 * periodicTasks))
            #expect(try await test.rollups().map(\.value) == (hold ? [] : [60]))
        }
    }

    @Test("NFR-04: a snapshot lists the closed days, and those that are asked for are published once more, complete")
    func publishedAgain() async throws {
        try await IngestionTest.with { test in
            let one = try await test.counted(7)
            let noon = Timestamp("2026-11-16T12:00:00Z")!
            _ = try await test.upload(1, [heartRates([60], from: noon)], device: one.device, of: one.account)
            let query = test.service.rpc(as: "query")
            #expect(
                try await query.call(FeedSnapshot.self, .init(feed: Ingestion.rollupsFeed, page: nil)).entities == [])
            _ = try await test.close(through: "2026-11-18")
            let snapshot = try await query.call(FeedSnapshot.self, .init(feed: Ingestion.rollupsFeed, page: nil))
            #expect(snapshot.entities.allSatisfy { $0.kind == "closed" })
            let closed = try snapshot.entities.map { try $0.decode(Ingestion.ClosedDay.self).day.description }
            // West of Greenwich the day before goes on in the first block.
            #expect(closed == ["2026-11-15", "2026-11-16", "2026-11-17", "2026-11-18"])

            let days = ["2026-11-16", "2026-11-17", "2026-11-19"].map { CalendarDate($0)! }
            _ = try await query.call(Ingestion.PublishDays.self, .init(days: days))
            test.service.start()
            #expect(await test.service.pacing.reached(pauses: periodicTasks))
            let events = try await test.events(Ingestion.rollupsFeed, as: "query")
            let complete = try events.filter { $0.kind == "day-complete" }
                .map { try $0.decode(Ingestion.DayComplete.self) }
            // The 19th is not closed.
            #expect(
                complete.map { "\($0.day) \($0.batches)" }.sorted() == [
                    "2026-11-15 0", "2026-11-16 1", "2026-11-16 1", "2026-11-17 0", "2026-11-17 0", "2026-11-18 0",
                ])
            #expect(Set(complete.map(\.publication)).count == 6)
            #expect(events.count { $0.kind == "day" } == 2)
            await #expect(throws: RPCError.self) {
                try await query.call(
                    Ingestion.PublishDays.self, .init(days: Array(repeating: days[0], count: 401)))
            }
        }
    }

    @Test(
        "GRP-09 NFR-06a: a day that is published again has the values of then, whatever came, was deleted or erased since"
    )
    func sameAgain() async throws {
        try await IngestionTest.with { test in
            let people = [try await test.counted(7), try await test.counted(8), try await test.counted(9)]
            let noon = Timestamp("2026-11-16T12:00:00Z")!
            for (index, person) in people.enumerated() {
                let series = [heartRates([60.1, 71, 62 + Double(index)], from: noon), single(.steps, 123, at: noon)]
                _ = try await test.upload(1, series, device: person.device, of: person.account)
            }
            _ = try await test.close(through: "2026-11-17")
            let first = try await test.rollups()
            #expect(first.count == 6)
            // Late samples, a deleted span, an erased account, and somebody whose number was not known.
            _ = try await test.upload(
                2, [heartRates([120], from: noon), single(.steps, 9, at: noon)], device: people[0].device,
                of: people[0].account)
            try await test.seal(people[0].account)
            let wish = Array("{\"from\": \"2026-11-01T00:00:00Z\", \"to\": \"2026-11-20T00:00:00Z\"}".utf8)
            _ = try await test.post("deletions", wish, token: try test.token(of: people[1].account))
            #expect(try await test.deletionWorker().deleteNext())
            try await test.erase(people[2].account)
            let stranger = UUID.random()
            _ = try await test.upload(1, [heartRates([50], from: noon)], device: .random(), of: stranger)
            try await test.change(1, .init(accountID: stranger, kind: .individual, subject: 10))
            try await test.seal(stranger)

            let before = try await test.publications()
            _ = try await test.service.rpc(as: "query").call(
                Ingestion.PublishDays.self, .init(days: [CalendarDate("2026-11-16")!]))
            test.service.start()
            #expect(await test.service.pacing.reached(pauses: periodicTasks))
            let again = try await test.rollups(beside: before)
            #expect(again == first.filter { $0.subject != 9 })
            let kept = try await test.database.query("select sealed from day_value", as: [UInt8].self)
            #expect(kept.count == 2)
        }
    }

    @Test("GRP-09 NFR-02: people of several pages are each counted once on each day; how far sealing is, is told")
    func pages() async throws {
        try await IngestionTest.with { test in
            let days = ["2026-11-16", "2026-11-17"]
            let count = 2 * DayCounter.peopleMax + 5
            for subject in 0..<count {
                let one = try await test.counted(Int32(subject))
                let series = days.map { heartRates([60 + Double(subject % 50)], from: Timestamp("\($0)T12:00:00Z")!) }
                _ = try await test.upload(1, series, device: one.device, of: one.account)
            }
            let shares = Mutex<[Double]>([])
            try await SealJob(sealer: test.sealer(), observer: test.service.context.observer).sealDays(
                includesToday: true
            ) {
                share in shares.withLock { $0.append(share) }
            }
            // All have arrivals of today, and are one page: after it nothing is left, tomorrow's empty partition neither.
            #expect(shares.withLock { !$0.isEmpty && $0.allSatisfy { $0 == 1 } })
            #expect(try await test.close(through: days[1]) == 2 * count)
            let expected = days.flatMap { day in
                (0..<count).map {
                    Value(type: .heartRate, day: day, subject: Int32($0), value: 60 + Double($0 % 50))
                }
            }
            #expect(try await test.rollups() == Set(expected))
        }
    }

    @Test("GRP-09: days before anybody's first samples can be closed, and are empty")
    func beforeTheFirst() async throws {
        try await IngestionTest.with { test in
            let one = try await test.counted(7)
            _ = try await test.upload(
                1, [heartRates([60], from: Timestamp("2026-11-17T12:00:00Z")!)], device: one.device, of: one.account)
            #expect(try await test.close(through: "2026-11-15") == 0)
            #expect(try await test.close(through: "2026-11-17") == 1)
        }
    }

    @Test("GRP-09: values are sent in batches of at most 1500 people, each day and data type by itself, shuffled")
    func batches() throws {
        let subjects = (0..<5000).map { Int32($0) }
        let column = DayValues.Column(subjects: subjects, values: subjects.map { Double($0) / 3 })
        let day = CalendarDate("2026-11-18")!
        let (publication, key) = (UUID.random(), SubjectKey.random())
        let events = try RollupEvents.events(
            of: day, [.heartRate: column, .steps: column], publication: publication, key: key)
        #expect(events.count == 9 && Set(events.map(\.entity)).count == 9)
        let complete = try IngestionTest.record(try #require(events.last)).decode(Ingestion.DayComplete.self)
        #expect(events.last?.kind == "day-complete" && complete.day == day && complete.batches == 8)
        var seen: [DataType: [Int32]] = [:]
        for event in events.dropLast() {
            let batch = try IngestionTest.record(event).decode(RollupEvents.SealedBatch.self)
            let opened = try key.open(
                try #require(Base64.standard.decode(batch.sealed)), at: SealedLocation.rollups(publication))
            let rollups = try JSONDecoder().decode(Ingestion.DayRollups.self, from: opened)
            #expect(event.kind == "day" && batch.publication == publication && rollups.publication == publication)
            #expect(rollups.subjects.count <= 1500 && rollups.subjects.count == rollups.values.count)
            for (subject, value) in zip(rollups.subjects, rollups.values) {
                #expect(abs(value - Double(subject) / 3) < 0.001)
            }
            #expect(rollups.subjects != rollups.subjects.sorted())
            seen[rollups.type, default: []] += rollups.subjects
        }
        #expect(seen.mapValues { $0.sorted() } == [.heartRate: subjects, .steps: subjects])
    }

    private func kept(_ test: IngestionTest) async throws -> [String] {
        try await test.database.query("select payload from feed_event", as: [UInt8].self)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "NFR-05d GRP-09: rollups are sealed where they are kept, and query reads them for as long as their key is kept")
    func sealed() async throws {
        try await IngestionTest.with { test in
            let one = try await test.counted(1_000_000_007)
            let noon = Timestamp("2026-11-16T12:00:00Z")!
            _ = try await test.upload(1, [single(.steps, 123_456, at: noon)], device: one.device, of: one.account)
            _ = try await test.close(through: "2026-11-16")
            let kept = try await kept(test)
            // Of the day before, too, that it is complete.
            #expect(kept.count == 3)
            for payload in kept {
                #expect(!payload.contains("1000000007") && !payload.contains("123456") && !payload.contains("steps"))
            }
            #expect(try await test.rollups().map(\.value) == [123_456])

            // After a week the key goes; the day can be had again, under another.
            let keys = test.keyStore.database
            let makeOld: SQL = "update publication_key set made_at = now() - interval '8 days'"
            let store = PublicationKeys(
                database: keys, cipher: FieldCipher(try KeyRing(["1": .random()], current: "1")))
            try await keys.execute(makeOld)
            try await store.destroyOld()
            #expect(
                try await test.events(Ingestion.rollupsFeed, as: "query").map(\.kind) == [
                    "day-complete", "day-complete",
                ])

            // Another old one, for the service itself to find.
            let old = UUID.random()
            _ = try await store.make(for: old)
            try await keys.execute(makeOld)
            let query = test.service.rpc(as: "query")
            _ = try await query.call(Ingestion.PublishDays.self, .init(days: [CalendarDate("2026-11-16")!]))
            test.service.start()
            let end = Deadline.after(.seconds(60))
            while try await test.rollups().isEmpty, !end.hasPassed {
                try await EventLoop.current?.sleep(for: .milliseconds(20))
            }
            #expect(try await test.rollups().map(\.value) == [123_456])
            while try await !store.keys(of: [old]).isEmpty, !end.hasPassed {
                try await EventLoop.current?.sleep(for: .milliseconds(20))
            }
            #expect(try await store.keys(of: [old]).isEmpty)
        }
    }

    @Test("NFR-05: a batch that was altered or moved is left out and reported, and the others come")
    func altered() async throws {
        let keys = (0..<2).map { _ in (publication: UUID.random(), key: SubjectKey.random()) }
        try await IngestionTest.with { test in
            let cipher = FieldCipher(try KeyRing(["1": .random()], current: "1"))
            let store = PublicationKeys(database: test.keyStore.database, cipher: cipher)
            let key = try await store.make(for: keys[0].publication)
            #expect(try await store.keys(of: [keys[0].publication, keys[1].publication]).count == 1)
            let place = SealedLocation.rollups(keys[0].publication)
            let found = try #require(try await store.keys(of: [keys[0].publication])[keys[0].publication]).get()
            #expect(try found.open(key.seal([1], at: place), at: place) == [1])
            #expect(throws: SecurityError.self) {
                try found.open(key.seal([1], at: place), at: SealedLocation.rollups(keys[1].publication))
            }
            let one = try await test.counted(7)
            let noon = Timestamp("2026-11-16T12:00:00Z")!
            _ = try await test.upload(
                1, [heartRates([60], from: noon), single(.steps, 5, at: noon)], device: one.device, of: one.account)
            _ = try await test.close(through: "2026-11-16")
            try await test.keyStore.database.execute("update publication_key set wrapped = wrapped || '\\x00'")
            #expect(
                try await test.events(Ingestion.rollupsFeed, as: "query").map(\.kind) == [
                    "day-complete", "day-complete",
                ])
            #expect(test.service.log.lines.count { $0.contains("batch of rollups left out") } == 2)
        }
    }
}
