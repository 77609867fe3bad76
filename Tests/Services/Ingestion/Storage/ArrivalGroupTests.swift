import Contracts
import Domain
import Feed
import Postgres
import PostgresTesting
import Primitives
import Reactor
import Security
import ServiceTesting
import Synchronization
import Telemetry
import Testing

@testable import Ingestion
@testable import Service

/// Arrivals that are stored with one commit.
@Suite struct ArrivalGroupTests {
    private let account = UUID.random()
    private let device = UUID.random()

    /// Another replica, which knows of nobody.
    private static func context(_ test: IngestionTest) throws -> ArrivalGroup.Context {
        let context = test.service.context
        let keys = SubjectKeys(store: test.keyStore, cipher: FieldCipher(context.keys.fields))
        let producer = FeedProducer(
            database: test.database, feeds: [LiveFeed.definition(keys, context.log)],
            observer: context.observer)
        return ArrivalGroup.Context(
            live: LiveFeed(producer), known: KnownArrivals(peopleMax: 100), devices: KnownDevices(devicesMax: 100),
            sourceNames: BlindIndex(master: context.keys.blindIndex, column: "ingestion.source.identity"),
            sealing: SealJob(sealer: test.sealer(), observer: context.observer))
    }

    private func arrival(
        _ upload: Int64, _ value: Int64 = 600, at time: Int64 = 1_700_000_000_000, device: UUID? = nil,
        of other: UUID? = nil
    ) -> NewArrival {
        Self.arrival(.device(device ?? self.device, upload: upload), value, at: time, of: other ?? account)
    }

    private static func arrival(
        _ source: NewArrival.Source, _ value: Int64, at time: Int64, of account: UUID
    ) -> NewArrival {
        var content = [UInt8](repeating: 0, count: 32)
        for index in 0..<8 { content[index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        return NewArrival(
            account: account, source: source, content: content, receivedAt: IngestionTest.start,
            sentAt: IngestionTest.start,
            batch: SampleBatch(values: [ValueColumn(type: .heartRate, times: [time], values: [value])]),
            key: key)
    }

    private static let key = SubjectKey.random()

    private struct Stopped: Error {}

    private func store(
        _ arrivals: [NewArrival], _ context: ArrivalGroup.Context, _ test: IngestionTest
    ) async throws -> [ArrivalOutcome] {
        try await test.database.transaction { transaction in
            var group = try await ArrivalGroup(arrivals, context, in: transaction, at: IngestionTest.start)
            return try await group.finish(in: transaction)
        }
    }

    private static let stored = ArrivalOutcome.stored(samples: 1, dropped: DroppedTypes())

    private func isRepeat(_ outcome: ArrivalOutcome) -> Bool {
        if case .repeated(let earlier) = outcome { earlier.samples == 1 } else { false }
    }

    private func isConflict(_ outcome: ArrivalOutcome) -> Bool {
        if case .conflict = outcome { true } else { false }
    }

    private func numbers(_ test: IngestionTest) async throws -> [Int32] {
        try await test.database.query(
            """
            select arrival from arrival where person = (select number from person where account_id = \(account))
            order by stored_at, arrival
            """, as: Int32.self)
    }

    @Test("ING-02c: the same upload twice in one commit is stored once, others under its number are a conflict")
    func withinGroup() async throws {
        try await IngestionTest.with { test in
            let context = try Self.context(test)
            let outcomes = try await store(
                [arrival(1), arrival(1), arrival(1, 700), arrival(2, 700), arrival(1, device: .random())], context, test
            )
            #expect(outcomes[0] == Self.stored && outcomes[3] == Self.stored && outcomes[4] == Self.stored)
            #expect(isRepeat(outcomes[1]) && isConflict(outcomes[2]))
            #expect(try await numbers(test) == [1, 2, 3])
            let entries = try await store(
                [
                    Self.arrival(.manual, 1, at: 0, of: account), Self.arrival(.manual, 1, at: 0, of: account),
                    Self.arrival(.imported(name: "Watch"), 2, at: 0, of: account),
                    Self.arrival(.imported(name: "Watch"), 2, at: 0, of: account),
                ], context, test)
            #expect(entries[0] == Self.stored && entries[2] == Self.stored)
            #expect(isRepeat(entries[1]) && isRepeat(entries[3]))
        }
    }

    @Test("SOS-05: what is urgent is stored while the others wait for their turn")
    func urgent() async throws {
        try await IngestionTest.with { test in
            let turns = CommitTurns(1, turnMax: .seconds(3600))
            guard case .turn(let taken) = turns.take(orWait: nil) else {
                Issue.record("no turn is free")
                return
            }
            let writer = test.writer(turns: turns)
            let loop = try #require(EventLoop.current)
            let isStored = Mutex(false)
            let waiting = loop.throwingTask { [self] in
                let outcome = try await writer.store(arrival(1))
                isStored.withLock { $0 = true }
                return outcome
            }
            for upload in 2...3 as ClosedRange<Int64> {
                #expect(try await writer.result(of: arrival(upload), isUrgent: true).outcome == Self.stored)
            }
            #expect(!isStored.withLock { $0 })
            turns.end(taken, on: loop)
            #expect(try await waiting.value == Self.stored)
        }
    }

    @Test("ING-05: two new devices of one person in one commit, entries and imports are sources of their own")
    func sources() async throws {
        try await IngestionTest.with { test in
            let context = try Self.context(test)
            let other = UUID.random()
            _ = try await store([arrival(1), arrival(1, device: other), arrival(2)], context, test)
            _ = try await store(
                [
                    Self.arrival(.imported(name: "Anna's watch"), 2, at: 0, of: account),
                    Self.arrival(.manual, 1, at: 0, of: account),
                    Self.arrival(.imported(name: ""), 3, at: 0, of: account),
                    Self.arrival(.imported(name: "Anna's watch"), 4, at: 0, of: account),
                ], context, test)
            let sources = try await test.database.query(
                "select number, kind, identity from source order by number", as: Int16.self, String.self, UUID.self)
            #expect(sources.map(\.0) == [1, 2, 3, 4])
            #expect(sources.map(\.1) == ["device", "device", "import", "import"])
            #expect(sources.prefix(2).map(\.2) == [device, other])
            let arrivals = try await test.database.query("select source from arrival order by arrival", as: Int16.self)
            #expect(arrivals == [1, 2, 1, 3, 0, 4, 3])
            let names = try await test.database.query(
                "select name from source where kind = 'import' order by number", as: [UInt8]?.self)
            let name = try Self.key.open(try #require(names[0]), at: SealedLocation.sourceName(of: account))
            #expect(String(decoding: name, as: UTF8.self) == "Anna's watch" && names[1] == nil)
        }
    }

    @Test("ACC-14: what is remembered of a device holds until something is told of it, at every replica")
    func remembered() async throws {
        try await IngestionTest.with { test in
            let (here, there) = (try Self.context(test), try Self.context(test))
            func tell(_ version: Int64, of owner: UUID, types: [DataType] = DataType.allCases, isRemoved: Bool = false)
                async throws
            {
                try await test.change(
                    version,
                    Accounts.DeviceChange(deviceID: device, accountID: owner, dataTypes: types, isRemoved: isRemoved))
            }
            try await tell(1, of: account)
            for upload in 1...3 { _ = try await store([arrival(Int64(upload))], here, test) }
            #expect(here.devices.devices(of: [arrival(4)])[0]?.number == 1)
            _ = try await store([arrival(4)], there, test)

            try await tell(2, of: account, types: [.steps])
            for context in [here, there] {
                let outcome = try await store([arrival(5)], context, test)[0]
                #expect(
                    outcome == .stored(samples: 0, dropped: DroppedTypes(withheld: DataType.heartRate.bit))
                        || isRepeat0(outcome))
            }
            try await tell(3, of: account)
            #expect(try await store([arrival(6)], here, test) == [Self.stored])
            let other = UUID.random()
            try await tell(4, of: other)
            #expect(try await store([arrival(7)], here, test) == [.deviceRemoved])
            #expect(try await store([arrival(7)], there, test) == [.deviceRemoved])
            #expect(try await store([arrival(7, of: other)], there, test) == [Self.stored])
            try await tell(5, of: other, isRemoved: true)
            #expect(try await store([arrival(8, of: other)], there, test) == [.deviceRemoved])
        }
    }

    /// Whether the person's arrivals are marked as ones that may repeat something, in their order.
    private func marks(_ test: IngestionTest) async throws -> [Bool] {
        try await test.database.query(
            """
            select arrival, source, sealed from arrival
            where person = (select number from person where account_id = \(account)) order by arrival
            """, as: StoredArrival.self
        ).map { try $0.content(of: account, Self.key).mayRepeat }
    }

    @Test("REQ-07: an upload after all others of its device cannot repeat any, unless another replica stored some")
    func marked() async throws {
        try await IngestionTest.with { test in
            let (here, there) = (try Self.context(test), try Self.context(test))
            let other = UUID.random()
            for (number, device) in [device, other].enumerated() {
                try await test.change(
                    Int64(number),
                    Accounts.DeviceChange(
                        deviceID: device, accountID: account, dataTypes: DataType.allCases, isRemoved: false))
            }
            let now = IngestionTest.start.milliseconds
            _ = try await store([arrival(1, at: now)], here, test)
            _ = try await store([arrival(2, at: now + 1)], here, test)
            // The second of a commit knows of the first, and each device has times of its own.
            _ = try await store(
                [
                    arrival(3, at: now + 2), arrival(4, at: now + 2), arrival(5, at: now + 3),
                    arrival(1, at: now, device: other),
                ], here, test)
            _ = try await store([Self.arrival(.manual, 1, at: 0, of: account), arrival(6, at: now + 4)], here, test)
            #expect(try await marks(test) == [false, false, false, true, false, false, true, false])
            // Another process knows nothing of these, and this one nothing of what that one has stored.
            _ = try await store([arrival(7, at: now + 5)], there, test)
            _ = try await store([arrival(8, at: now + 6)], here, test)
            let later = now + SampleClock.aheadMax.milliseconds
            _ = try await store([arrival(9, at: later)], here, test)
            _ = try await store([arrival(10, at: later + 1)], here, test)
            _ = try await store([arrival(2, at: later, device: other)], here, test)
            #expect(try await marks(test).dropFirst(8) == [true, true, true, false, true])
            // A commit that failed leaves no trace.
            await #expect(throws: (any Error).self) {
                try await test.database.transaction { transaction in
                    var group = try await ArrivalGroup(
                        [arrival(11, at: later + 9)], here, in: transaction, at: IngestionTest.start)
                    _ = try await group.finish(in: transaction)
                    throw Stopped()
                }
            }
            _ = try await store([arrival(12, at: later + 2)], here, test)
            #expect(try await marks(test).last == false)
        }
    }

    /// Of an upload of which nothing was stored.
    private func isRepeat0(_ outcome: ArrivalOutcome) -> Bool {
        if case .repeated(let earlier) = outcome { earlier.samples == 0 } else { false }
    }

    @Test(
        "REQ-07 ING-02c: numbers go on in other replicas, after partitions went, and when the database's clock is set")
    func numbering() async throws {
        try await IngestionTest.with { test in
            let (here, there) = (try Self.context(test), try Self.context(test))
            _ = try await store([arrival(1), arrival(2)], here, test)
            _ = try await store([arrival(3)], there, test)
            // The clock of the database was ahead when this was stored, and was put back.
            try await test.database.batch([
                "select add_arrival_days(current_date + 10, current_date + 10)",
                "update arrival set stored_at = stored_at + interval '10 days' where arrival = 3",
            ])
            _ = try await store([arrival(4)], here, test)
            _ = try await store([arrival(5)], try Self.context(test), test)
            _ = try await store([arrival(6)], there, test)
            #expect(try await numbers(test) == [1, 2, 3, 4, 5, 6])
            // All of it is in blocks, and the partitions are gone.
            try await test.database.batch(["update person set sealed_through = 6", "delete from arrival"])
            _ = try await store([arrival(7)], there, test)
            _ = try await store([arrival(8)], here, test)
            #expect(try await numbers(test) == [7, 8])
            // Somebody else's are counted from 1.
            _ = try await store([arrival(1, of: .random())], here, test)
            #expect(
                try await test.database.queryOne("select count(*) from arrival where arrival = 1", as: Int.self) == 1)
        }
    }

    @Test("ING-02c: after a month a number is known to be used, what was measured since is not taken for a repeat")
    func longAgo() async throws {
        try await IngestionTest.with { test in
            let context = try Self.context(test)
            _ = try await store([arrival(5)], context, test)
            try await test.database.batch([
                "delete from upload",
                """
                insert into upload (person, source, first, upload, received_at)
                select person, 1, 3, 9, '2023-11-20T00:00:00Z' from source
                """,
            ])
            let late: Int64 = 1_800_000_000_000
            let outcomes = try await store(
                [
                    arrival(3), arrival(9), arrival(2), arrival(10), arrival(4, 7, at: late),
                    // By a clock that was never set: from 1970, whenever that was.
                    arrival(6, 7, at: 86_400_000),
                ], context, test)
            #expect(outcomes[0] == .storedLongAgo && outcomes[1] == .storedLongAgo)
            #expect(outcomes[2] == Self.stored && outcomes[3] == Self.stored)
            #expect(isConflict(outcomes[4]) && isConflict(outcomes[5]))
            #expect(try await numbers(test) == [1, 2, 3])
        }
    }

    @Test(
        "NFR-04: what a transaction gives a device is not remembered before it is found stored: the commit may be lost")
    func lostCommit() async throws {
        try await IngestionTest.with { test in
            let context = try Self.context(test)
            // As after a commit without an answer that had not happened.
            _ = try await store([arrival(1)], context, test)
            try await test.database.batch(["delete from source", "delete from upload", "delete from arrival"])
            _ = try await store([arrival(1)], context, test)
            _ = try await store([arrival(2)], context, test)
            #expect(try await test.database.queryOne("select count(*) from source", as: Int.self) == 1)
        }
    }

    @Test(
        "REQ-07 NFR-04: nothing is remembered of a commit without an answer: others may have stored something in its place"
    )
    func unansweredCommit() async throws {
        try await IngestionTest.with { test in
            let (here, there) = (try Self.context(test), try Self.context(test))
            try await test.change(
                1,
                Accounts.DeviceChange(
                    deviceID: device, accountID: account, dataTypes: DataType.allCases, isRemoved: false))
            let now = IngestionTest.start.milliseconds
            for number in 1...2 as ClosedRange<Int64> {
                _ = try await store([arrival(number, at: now + number)], here, test)
            }
            #expect(here.known.last(of: [account])[0]?.run.through == 2)
            // The server ends in the commit, which has not happened then.
            try await test.database.batch([
                """
                create function fail() returns trigger language plpgsql as
                $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60); return null; end $$
                """,
                """
                create constraint trigger fail after insert on upload deferrable initially deferred
                for each row execute function fail()
                """,
            ])
            let error = await #expect(throws: TransactionError.self) {
                try await store([arrival(3, at: now + 20)], here, test)
            }
            guard case .outcomeUnknown = error?.postgres else {
                Issue.record("\(String(describing: error))")
                return
            }
            try await test.database.execute("drop trigger fail on upload")
            #expect(here.known.last(of: [account])[0]?.run.through == 2)
            _ = try await store([arrival(4, at: now + 30)], there, test)
            // It repeats what another process has stored.
            _ = try await store([arrival(5, at: now + 30)], here, test)
            #expect(try await marks(test).last == true)
        }
    }

    @Test("ING-02: a day without a partition does not refuse uploads")
    func partitions() async throws {
        try await IngestionTest.with { test in
            let days = try await test.database.query(
                """
                select inhrelid::regclass::text from pg_catalog.pg_inherits where inhparent = 'arrival'::regclass
                """, as: String.self)
            #expect(days.count == 2)
            for day in days { try await test.database.execute("drop table \(raw: day)") }
            #expect(try await test.upload(1, [heartRates([61])], device: device, of: account).stored == 1)
            #expect(try await test.read(account).series.map(\.values) == [[61]])
        }
    }

    @Test("An answer that is not plain is kept with the upload's number, and read back as it was")
    func answers() throws {
        let start = IngestionTest.start
        for (paused, withheld, isByDeviceClock) in [
            (Set<DataType.Group>(), Int64(0), true), ([.position], 0, false), ([.health, .position], -1, true),
            ([], 1 << 40, false),
        ] {
            let earlier = EarlierArrival(
                samples: 100_000, receivedAt: start, sentAt: start - .seconds(70), isByDeviceClock: isByDeviceClock,
                dropped: DroppedTypes(paused: paused, withheld: withheld))
            #expect(earlier.plainSamples == nil)
            #expect(try EarlierArrival(decoding: earlier.encoded, receivedAt: start) == earlier)
            for count in earlier.encoded.indices {
                #expect(throws: SampleCodecError.self) {
                    try EarlierArrival(decoding: Array(earlier.encoded.prefix(count)), receivedAt: start)
                }
            }
        }
    }
}
