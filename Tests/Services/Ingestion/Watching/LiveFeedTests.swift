import Contracts
import Domain
import Feed
import HTTP
import JSON
import Primitives
import Postgres
import RPC
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct LiveFeedTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func live(_ test: IngestionTest, as consumer: String = "dispatcher") async throws -> [Ingestion.LiveSamples]
    {
        try await test.events(Ingestion.liveFeed, as: consumer).map { try $0.decode() }
    }

    @Test("SOS-02 RUN-09: the samples of watched people are published once, nobody else's, and not those of repeats")
    func onlyWatched() async throws {
        try await IngestionTest.with { test in
            let start = IngestionTest.start
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            try await test.watch(account)
            try await test.watch(.random(), until: start + .seconds(10), by: .track4run)
            let position = SampleSeries(
                type: .position, unit: "deg", start: start, offsets: [0], latitudes: [45.4], longitudes: [9.2],
                accuracies: [8])
            _ = try await test.upload(2, [heartRates([62]), position], device: device, of: account, sentAt: start)
            _ = try await test.upload(2, [heartRates([62]), position], device: device, of: account, sentAt: start)
            _ = try await test.upload(1, [heartRates([63])], device: .random(), of: .random())
            let events = try await live(test)
            #expect(events.count == 1)
            #expect(events.first?.accountID == account && events.first?.deviceID == device)
            #expect(events.first?.receivedAt == start && events.first?.sentAt == start)
            #expect(events.first?.series == [heartRates([62]), position])
            #expect(try await live(test, as: "track4run").isEmpty)
            try await test.watch(account, false, version: 2)
            _ = try await test.upload(3, [heartRates([64])], device: device, of: account)
            #expect(try await live(test).count == 1)
        }
    }

    @Test("SOS-02 NFR-03: an upload of very many short series becomes several events, and fails nobody's commit")
    func manySeries() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            let series = (0..<400).map { number in
                SampleSeries(
                    type: .position, start: IngestionTest.start - .seconds(900 - number), offsets: [0],
                    zoneOffset: ZoneOffset(minutes: number % 2 * 60), latitudes: [45.4], longitudes: [9.2],
                    accuracies: [8])
            }
            #expect(try await test.upload(1, series, device: device, of: account).stored == 400)
            let events = try await live(test)
            #expect(events.count == 4 && events.reduce(0) { $0 + $1.series.count } == 400)
        }
    }

    @Test(
        "SOS-02a RUN-10: samples too old for any alarm hold up nobody's; who watches a run gets those of its time, however late"
    )
    func old() async throws {
        try await IngestionTest.with { test in
            let start = IngestionTest.start
            try await test.watch(account)
            let run = start - .seconds(7200)...start - .seconds(3600)
            try await test.watch(account, by: .track4run, measured: run)
            let (late, fresh) = (
                heartRates([50, 51, 52], from: start - .seconds(7200)), heartRates([60], from: start - LiveFeed.ageMax)
            )
            _ = try await test.upload(1, [late, fresh], device: device, of: account)
            #expect(try await live(test).flatMap(\.series) == [fresh])
            #expect(try await live(test, as: "track4run").flatMap(\.series) == [late])
            // Old ones alone are no event.
            _ = try await test.upload(
                2, [heartRates([53], from: start - .seconds(86_400))], device: device, of: account)
            #expect(try await live(test).count == 1)
        }
    }

    @Test(
        "SOS-02a NFR-03: what one upload publishes is limited to the newest samples, and a group of them to what feeds take"
    )
    func limited() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            let (count, kept) = (20_000, LiveFeed.eventsMax * LiveFeed.samplesMax)
            let start = IngestionTest.start - .milliseconds(Int64(count) * 50)
            let positions = SampleSeries(
                type: .position, start: start, offsets: (0..<count).map { Int64($0) * 50 },
                latitudes: (0..<count).map { 45 + Double($0) / 100_000 },
                longitudes: [Double](repeating: 9, count: count))
            let rate = heartRates([61], from: IngestionTest.start)
            #expect(try await test.upload(1, [positions, rate], device: device, of: account).stored == count + 1)
            let events = try await live(test)
            #expect(events.count == LiveFeed.eventsMax)
            let fixes = events.flatMap(\.series).filter { $0.type == .position }
            let times = fixes.flatMap { series in (0..<series.count).map { series.time($0) } }
            #expect(times.count >= kept - LiveFeed.samplesMax && Set(times).count == times.count)
            #expect(times.max() == positions.time(count - 1))
            #expect(times.min() == positions.time(count - times.count))
            #expect(events.flatMap(\.series).contains(rate))
        }
        // `FeedProducer.publish` takes so many.
        #expect(ArrivalWriter.groupMax * (LiveFeed.eventsMax + LiveFeed.spanEventsMax + 1) <= 10_000)
    }

    @Test("RUN-09: a watch ends at its time")
    func ends() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account, until: IngestionTest.start + .seconds(10), by: .track4run)
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            test.service.clock.advance(by: .seconds(11))
            _ = try await test.upload(2, [heartRates([62])], device: device, of: account)
            #expect(try await live(test, as: "track4run").map { $0.series.first?.values } == [[61]])
        }
    }

    @Test(
        "RUN-08 RUN-10: what was measured in the time of a run is passed on although it arrives after its end; nothing else is",
        arguments: [.zero, .seconds(3600), .seconds(-3600)] as [Duration])
    func interval(clockError: Duration) async throws {
        try await IngestionTest.with { test in
            let start = IngestionTest.start
            try await test.watch(
                account, until: start + .seconds(90), by: .track4run, measured: start...start + .seconds(3))
            func send(_ number: Int64, _ values: [Double], from: Timestamp) async throws {
                _ = try await test.upload(
                    number, [heartRates(values, from: from + clockError)], device: device, of: account,
                    sentAt: test.service.clock.now() + clockError)
            }
            try await send(1, [50, 51], from: start - .seconds(5))
            test.service.clock.advance(by: .seconds(60))
            try await send(2, [60, 61, 62, 63, 64, 65], from: start - .seconds(1))
            try await send(3, [70], from: start + .seconds(30))
            test.service.clock.advance(by: .seconds(31))
            try await send(4, [80], from: start + .seconds(2))
            #expect(try await live(test, as: "track4run").flatMap(\.series).map(\.values) == [[61, 62, 63, 64]])
        }
    }

    @Test("SOS-02: somebody who runs and whom AutomatedSOS watches is watched at all times")
    func bothWatch() async throws {
        try await IngestionTest.with { test in
            let start = IngestionTest.start
            try await test.watch(account)
            try await test.watch(
                account, until: start + .seconds(90), by: .track4run, measured: start...start + .seconds(3))
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            #expect(try await live(test).flatMap(\.series).map(\.values) == [[61]])
        }
    }

    @Test(
        "SOS-02 RUN-08 NFR-06: each service gets whom it watches itself, and of them the data types that it asked for")
    func minimal() async throws {
        try await IngestionTest.with { test in
            let start = IngestionTest.start
            let position = SampleSeries(
                type: .position, unit: "deg", start: start - .seconds(5), offsets: [0], latitudes: [45.4],
                longitudes: [9.2])
            let steps = single(.steps, 12, at: start - .seconds(5))
            // A run in which the heart rate is shown, and one in which it is not.
            try await test.watch(account, types: [.heartRate, .position])
            let (earlier, later) = (start - .seconds(60)...start - .seconds(31), start - .seconds(30)...start)
            try await test.watch(
                account, entity: .random(), by: .track4run, measured: earlier, types: [.heartRate, .position])
            try await test.watch(account, entity: .random(), by: .track4run, measured: later, types: [.position])
            let other = UUID.random()
            try await test.watch(other, by: .track4run, measured: later, types: [.position])
            let values: [Double] = (60..<120).map { Double($0) }
            let rates = heartRates(values, from: start - .seconds(60))
            _ = try await test.upload(1, [rates, steps, position], device: device, of: account, sentAt: start)
            _ = try await test.upload(1, [rates, position], device: .random(), of: other, sentAt: start)
            let (dispatcher, track4run) = (try await live(test), try await live(test, as: "track4run"))
            #expect(dispatcher.map(\.accountID) == [account])
            #expect(dispatcher.first?.series == [rates, position])
            let mine = track4run.filter { $0.accountID == account }.flatMap(\.series)
            let shown = mine.filter { $0.type == .heartRate }.flatMap { $0.values ?? [] }
            #expect(shown == Array(values[..<30]))
            #expect(mine.filter { $0.type != .heartRate } == [position])
            let others = track4run.filter { $0.accountID == other }.flatMap(\.series)
            #expect(others == [position])
            // What is read later, from storage, is as little.
            let gap = Ingestion.ReadGap.Params(
                accountID: other, types: [.heartRate, .position],
                receivedFrom: test.service.clock.now() - .seconds(3600),
                receivedTo: Timestamp.now() + .seconds(3600))
            let read = try await test.service.rpc(as: "track4run").call(Ingestion.ReadGap.self, gap)
            #expect(read.uploads.flatMap(\.samples.series) == [position])
        }
    }

    @Test("SOS-02: replicas that share the feed in parts get each person's samples once")
    func parts() async throws {
        try await IngestionTest.with { test in
            let people = (0..<40).map { _ in UUID.random() }
            for person in people {
                try await test.watch(person)
                _ = try await test.upload(1, [heartRates([61])], device: .random(), of: person)
            }
            let (some, others) = (
                FeedParts(count: 16, numbers: [0, 3, 7, 8]), FeedParts(count: 16, numbers: [0, 3, 7, 8]).others
            )
            let (one, other) = (
                try await test.events(Ingestion.liveFeed, as: "dispatcher", parts: some).map(\.entity),
                try await test.events(Ingestion.liveFeed, as: "dispatcher", parts: others).map(\.entity)
            )
            #expect(one.allSatisfy { some.contains($0) } && other.allSatisfy { others.contains($0) })
            #expect(one.count + other.count == people.count && Set(one + other) == Set(people))
        }
    }

    @Test(
        "RUN-10: spans of several runs are merged, and what is sent from the future of its device is as new as can be")
    func spans() throws {
        let start = IngestionTest.start
        let times = WatchedTimes(spans: [
            (start + .seconds(20), start + .seconds(30)), (start, start + .seconds(5)),
            (start + .seconds(5), start + .seconds(9)), (start + .seconds(3), start + .seconds(2)),
        ])
        #expect(times.spans == [start...start + .seconds(9), start + .seconds(20)...start + .seconds(30)])
    }

    @Test("SOS-05: samples of watched people are not refused for a wrong clock")
    func wrongClock() async throws {
        try await IngestionTest.with { test in
            for (number, clock) in ["2031-01-01T00:00:00Z", "1970-01-01T00:01:00Z"].enumerated() {
                let sentAt = Timestamp(clock)!
                let far = heartRates([35, 36], from: sentAt - .seconds(2))
                let upload = Int64(10 * number)
                try await test.watch(account, false, version: upload + 1)
                // One that is ahead shows in each sample, one that is far behind in the time of sending.
                let before = try await test.send(upload, [far], device: device, of: account, sentAt: sentAt)
                #expect(before.status == (number == 0 ? .ok : .unprocessableContent))
                try await test.watch(account, version: upload + 2)
                let answer = try await test.upload(upload + 1, [far], device: device, of: account, sentAt: sentAt)
                #expect(answer.stored == 2)
                // Filed under the times at which they were measured.
                let start = IngestionTest.start
                let last = try await live(test).last
                #expect(last?.series == [heartRates([35, 36], from: start - .seconds(2))] && last?.sentAt == start)
            }
        }
    }

    @Test("SOS-05: of a watched person too, times that no clock shows are refused, and the others are published")
    func impossibleTimes() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            let start = IngestionTest.start
            let positions = SampleSeries(
                type: .position, unit: "deg", start: start, offsets: [0, 9_221_576_817_654_775, -300_000_000_000_000],
                latitudes: [45.4, 45.5, 45.6], longitudes: [9.2, 9.2, 9.2])
            let last = heartRates([61, 62], from: Timestamp("9999-12-31T23:59:59Z")!)
            let answer = try await test.upload(1, [positions, last], device: device, of: account)
            #expect(answer.stored == 1 && answer.refusedCount == 4)
            #expect(try await live(test).map { $0.series.map(\.count) } == [[1]])
            let types = try await test.service.rpc(as: "query").call(
                Ingestion.Types.self, .init(accountID: account, reason: .test))
            #expect(types.types == [.position])
        }
    }

    @Test("SOS-11: a heart that stands still is told from a lost sensor, by those who know of it")
    func contact() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            var rates = heartRates([0, 0, 61])
            rates.contact = [true, false, true]
            _ = try await test.upload(1, [rates], device: device, of: account)
            _ = try await test.upload(2, [heartRates([62])], device: device, of: account)
            #expect(try await live(test).flatMap(\.series) == [rates, heartRates([62])])
        }
    }

    @Test("NFR-05d: live samples are encrypted where they are kept, and long ones are several events")
    func sealed() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            let values = (0..<1000).map { 60 + Double($0 % 7) }
            let start = IngestionTest.start - .seconds(1000)
            _ = try await test.upload(1, [heartRates(values, from: start)], device: device, of: account)
            let kept = try await test.database.query("select payload from feed_event", as: [UInt8].self)
            #expect(kept.count == 3)
            for payload in kept { #expect(!String(decoding: payload, as: UTF8.self).contains("heart")) }
            #expect(try await live(test).flatMap { $0.series.flatMap { $0.values ?? [] } } == values)
        }
    }

    @Test("A snapshot of watched people replaces what was known")
    func snapshot() async throws {
        try await IngestionTest.with { test in
            let other = UUID.random()
            try await test.watch(account)
            try await test.watch(other, by: .track4run)
            let changes = test.watchChanges(.dispatcher)
            try await test.settle(changes.beginSnapshot())
            try await test.settle(changes.endSnapshot())
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            _ = try await test.upload(1, [heartRates([62])], device: .random(), of: other)
            #expect(try await live(test).isEmpty)
            #expect(try await live(test, as: "track4run").map(\.accountID) == [other])
        }
    }

    @Test("SOS-02: a snapshot of a promoted dispatcher counts whatever its versions: who is enrolled stays watched")
    func promoted() async throws {
        try await IngestionTest.with { test in
            func watch(_ isWatched: Bool, _ version: Int64) throws -> FeedEvent {
                try FeedEvent(
                    feed: "", entity: account, version: version, kind: "watch",
                    encoding: Ingestion.Watch(accountID: account, isWatched: isWatched))
            }
            let changes = test.watchChanges(.dispatcher)
            try await test.watch(account, version: 5)
            try await test.snapshot([try watch(true, 4)], of: changes)
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            #expect(try await live(test).count == 1)
            // Version 5 is given out again.
            try await test.watch(account, false, version: 5)
            _ = try await test.upload(2, [heartRates([62])], device: device, of: account)
            #expect(try await live(test).count == 1)
        }
    }

    @Test("SOS-02: a live record that cannot be read is left out and reported, and the others come")
    func unreadable() async throws {
        try await IngestionTest.with { test in
            let people = [UUID.random(), .random(), .random()]
            for person in people {
                try await test.watch(person)
                _ = try await test.upload(1, [heartRates([61])], device: .random(), of: person)
            }
            // One is not what was sealed, another is nobody's form.
            let wrong = [
                (people[0], Array("\"AAAA\"".utf8)), (people[1], Array("{\"no\": \"text\"}".utf8)),
            ]
            for (person, payload) in wrong {
                for segment in 0..<4 {
                    try await test.database.execute(
                        """
                        update feed_live_\(raw: "\(segment)") set
                          event = substr(event, 1, 25 + get_byte(event, 24)) || \(payload)
                        where substr(event, 1, 16) = uuid_send(\(person))
                        """)
                }
            }
            #expect(try await live(test).map(\.accountID) == [people[2]])
            #expect(test.service.log.lines.filter { $0.contains("live record left out") }.count == 2)
        }
    }

    @Test("A key that cannot be unwrapped is its owner's trouble only")
    func unreadableKey() async throws {
        try await IngestionTest.with { test in
            let (one, other) = (UUID.random(), UUID.random())
            let ring = FieldCipher(try KeyRing(["1": .random()], current: "1"))
            let lost = FieldCipher(try KeyRing(["2": .random()], current: "2"))
            _ = try await SubjectKeys(store: test.keyStore, cipher: ring).key(of: one)
            _ = try await SubjectKeys(store: test.keyStore, cipher: lost).key(of: other)
            let keys = try await SubjectKeys(store: test.keyStore, cipher: ring).unwrappedKeys(of: [one, other])
            #expect((try? keys[one]?.get()) != nil)
            #expect(throws: SecurityError.self) { try keys[other]?.get() }
        }
    }

    /// Another replica, which knows no keys but these people's.
    private func replica(_ test: IngestionTest, keysOf known: [UUID]) async throws -> LocalCaller {
        let context = test.service.context
        let keys = SubjectKeys(store: test.keyStore, cipher: FieldCipher(context.keys.fields))
        for account in known { _ = try await keys.key(of: account) }
        let producer = FeedProducer(
            database: test.database, feeds: [LiveFeed.definition(keys, context.log)],
            observer: context.observer)
        var router = RPCRouter()
        producer.register(in: &router)
        let method = ReadGapMethod(database: test.database, keys: keys, threads: .computing, clock: context.clock)
        ReadGapMethod.register(in: &router, noting: AuditWriter(AuditTrail(database: test.database))) { _ in method }
        return LocalCaller(router: router, as: "dispatcher")
    }

    @Test(
        "SOS-05: while the key store is away, samples of people whose keys are known go on; the others' are withheld, and read from storage later"
    )
    func withheld() async throws {
        try await IngestionTest.with { test in
            let (known, other) = (UUID.random(), UUID.random())
            for person in [known, other] {
                try await test.watch(person)
                _ = try await test.upload(1, [heartRates([61])], device: .random(), of: person)
            }
            let without = try await replica(test, keysOf: [known])
            try await test.keyStore.database.execute("alter table subject_key rename to away")
            let events = try await test.events(Ingestion.liveFeed, as: "dispatcher", of: without)
            #expect(Set(events.map { "\($0.entity) \($0.kind)" }) == ["\(known) samples", "\(other) withheld"])
            #expect(events.first { $0.entity == other }?.payload.bytes == Array("{}".utf8))
            #expect(test.service.log.has("live samples of people whose keys cannot be had are withheld"))
            let gap = Ingestion.ReadGap.Params(
                accountID: other, types: [.heartRate], receivedFrom: test.service.clock.now() - .seconds(3600),
                receivedTo: Timestamp.now() + .seconds(3600))
            // Not `unavailable`: it concerns this person only.
            let error = await #expect(throws: RPCError.self) { try await without.call(Ingestion.ReadGap.self, gap) }
            #expect(error?.isRetryable == false)
            try await test.keyStore.database.execute("alter table away rename to subject_key")
            let answer = try await replica(test, keysOf: []).call(Ingestion.ReadGap.self, gap)
            #expect(answer.uploads.flatMap(\.samples.series) == [heartRates([61])])
        }
    }

    @Test("SOS-05: somebody whose key cannot be unwrapped is withheld, and stops nobody else")
    func unwrappable() async throws {
        try await IngestionTest.with { test in
            let (one, other) = (UUID.random(), UUID.random())
            for person in [one, other] {
                try await test.watch(person)
                _ = try await test.upload(1, [heartRates([61])], device: .random(), of: person)
            }
            try await test.keyStore.database.execute("update subject_key set wrapped = 'x' where account_id = \(one)")
            let events = try await test.events(
                Ingestion.liveFeed, as: "dispatcher", of: try await replica(test, keysOf: []))
            #expect(Set(events.map { "\($0.entity) \($0.kind)" }) == ["\(one) withheld", "\(other) samples"])
        }
    }
}
