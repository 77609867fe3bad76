import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Telemetry
import Testing

@testable import Ingestion

@Suite struct UploadTests {
    private let account = UUID.random()
    private let device = UUID.random()

    @Test("ING-02a: what a device measures every second and uploads every 30 s for half an hour is all stored, once")
    func cadence() async throws {
        try await IngestionTest.with { test in
            var sent: [Double] = []
            for number in 1...60 {
                let begin = test.service.clock.now()
                test.service.clock.advance(by: .seconds(30))
                let values = (0..<30).map { 50 + Double(($0 * 7 + number * 13) % 100) }
                let answer = try await test.upload(
                    Int64(number), [heartRates(values, from: begin)], device: device, of: account)
                #expect(answer.stored == 30 && !answer.repeated && answer.refused.isEmpty)
                sent += values
                if number == 30 { try await test.seal(account) }
            }
            let read = try await test.readAll(account).series
            #expect(read.flatMap { $0.values ?? [] } == sent)
            let times = read.flatMap { one in one.offsets.indices.map(one.time) }
            #expect(times == (0..<1800).map { IngestionTest.start + .seconds($0) })
        }
    }

    @Test("ING-05: an upload is stored for the account and device of its token, before accounts has told of them")
    func stores() async throws {
        try await IngestionTest.with { test in
            let answer = try await test.upload(1, [heartRates([61, 62, 63])], device: device, of: account)
            #expect(answer.stored == 3 && !answer.repeated && answer.refused.isEmpty)
            let rows = try await test.database.query(
                """
                select p.account_id, s.identity, u.upload, u.samples, p.types, a.arrival
                from arrival a join person p on p.number = a.person
                join source s on (s.person, s.number) = (a.person, a.source)
                join upload u on (u.person, u.source) = (a.person, a.source)
                """,
                as: UUID.self, UUID.self, Int64.self, Int16.self, Int64.self, Int32.self)
            #expect(rows.count == 1)
            #expect(rows[0] == (account, device, 1, 3, DataType.heartRate.bit, 1))
            let subject = try await test.database.query(
                "select subject from person where account_id = \(account)", as: Int32?.self)
            #expect(subject == [nil])
            let read = try await test.read(account)
            #expect(read.series == [heartRates([61, 62, 63])])
        }
    }

    @Test("ING-02c: the same upload again is stored once and answered in the same way")
    func repeats() async throws {
        try await IngestionTest.with { test in
            let series = [heartRates([61, 999]), heartRates([70], from: IngestionTest.start + .seconds(400))]
            let first = try await test.upload(7, series, device: device, of: account)
            test.service.clock.advance(by: .seconds(600))
            let second = try await test.upload(7, series, device: device, of: account)
            #expect(first.stored == 1 && second.stored == 1)
            #expect(!first.repeated && second.repeated)
            #expect(first.refused.map(\.reason) == ["implausible", "future"])
            #expect(first.refused == second.refused)
            #expect(try await test.database.queryOne("select count(*) from arrival", as: Int.self) == 1)
        }
    }

    @Test("ING-02c: many uploads at the same time, some of them twice, are all stored once")
    func concurrent() async throws {
        try await IngestionTest.with { test in
            let people = (0..<10).map { _ in (account: UUID.random(), device: UUID.random()) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    let person = people[number % people.count]
                    group.addTask {
                        let answer = try await test.upload(
                            Int64(number / 20), [heartRates([60 + Double(number / 20)])], device: person.device,
                            of: person.account)
                        #expect(answer.stored == 1)
                    }
                }
                try await group.waitForAll()
            }
            let stored = try await test.database.queryOne(
                "select count(*) from arrival", as: Int.self)
            #expect(stored == 50)
            for person in people {
                let read = try await test.read(person.account)
                #expect(read.series.flatMap { $0.values ?? [] }.sorted() == [60, 61, 62, 63, 64])
            }
        }
    }

    @Test("ING-02b: a series that cannot be read does not sink the others")
    func unreadableSeries() async throws {
        try await IngestionTest.with { test in
            let body = """
                {"upload": 1, "sent_at": "2026-11-20T10:00:00Z", "series": [
                  {"type": "aura", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0], "values": [1]},
                  {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0], "values": [61]},
                  {"type": "heart-rate", "start": "today", "offsets_ms": [0], "values": [61]}]}
                """
            let response = try await test.post(
                "uploads", Array(body.utf8), token: try test.token(device: device, of: account))
            let answer = try await test.decoded(response, IngestionTest.Answer.self)
            #expect(answer.stored == 1)
            #expect(answer.refused.map(\.series) == [0, 2])
            #expect(answer.refused.allSatisfy { $0.reason == "form" && $0.index == nil })
        }
    }

    @Test("ING-02: members of an upload that are not known are passed over and counted, and do not change what it says")
    func unknownMembers() async throws {
        try await IngestionTest.with { test in
            func sent(_ more: String, _ inSeries: String) -> [UInt8] {
                let series = #""offsets_ms": [0], "values": [61]"#
                return Array(
                    """
                    {"upload": 1, "sent_at": "2026-11-20T10:00:00Z"\(more), "series": [
                      {"type": "heart-rate", "start": "2026-11-20T09:59:00Z"\(inSeries), \(series)},
                      {"type": "aura", "colour": "green"}]}
                    """.utf8)
            }
            let token = try test.token(device: device, of: account)
            for (number, body) in [
                sent("", ""), sent(#", "battery": 0.5"#, #", "quality": [1], "firmware": {"major": 2}"#),
            ].enumerated() {
                let answer = try await test.decoded(
                    try await test.post("uploads", body, token: token), IngestionTest.Answer.self)
                #expect(answer.stored == 1 && answer.refused.map(\.reason) == ["form"])
                #expect(answer.repeated == (number > 0))
            }
            let metrics = String(decoding: await test.service.assembled.metrics.text(), as: UTF8.self)
            #expect(metrics.contains("trackme_ignored_members_total{bodies=\"uploads\"} 3"))
        }
    }

    @Test("ING-02 NFR-01: what is said of refused samples stays short and readable, whatever texts were sent")
    func hostileTexts() async throws {
        try await IngestionTest.with { test in
            // One character that takes a megabyte, and one that turns the direction of what follows.
            let long = "e" + String(repeating: "\u{301}", count: 500_000)
            for text in [long, "\u{202e}min/"] {
                var series = heartRates([61, 62, 63])
                series.unit = text
                let body = try JSONEncoder().encode(
                    ["upload": JSONValue.integer(1), "sent_at": .string("2026-11-20T10:00:00Z")])
                var sent = String(decoding: body.dropLast(), as: UTF8.self)
                sent += #","series":[\#(String(decoding: try JSONEncoder().encode(series), as: UTF8.self)),"#
                sent += #"{"type":"\#(text)","start":"2026-11-20T09:59:00Z","offsets_ms":[]}]}"#
                let token = try test.token(device: .random(), of: account)
                let response = try await test.post("uploads", Array(sent.utf8), token: token)
                let bytes = try await response.collectedBody()
                #expect(response.status == .ok && bytes.count < 2000)
                #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{202e}"))
            }
        }
    }

    @Test("NFR-05d: samples are encrypted where they are stored, each under the person's key and in its place")
    func encrypted() async throws {
        try await IngestionTest.with { test in
            let values = (0..<50).map { 60 + Double($0 % 7) }
            _ = try await test.upload(1, [heartRates(values)], device: device, of: account)
            _ = try await test.upload(1, [heartRates(values)], device: .random(), of: .random())
            let sealed = try await test.database.query("select sealed from arrival order by person", as: [UInt8].self)
            let plain = SampleCodec.encode(
                SampleValidator.validated(
                    [.readable(heartRates(values))], clock: SampleClock(now: IngestionTest.start)
                ).batch)
            #expect(sealed.count == 2)
            for bytes in sealed {
                // Beside the samples the times of reception and sending.
                #expect((plain.count + 1 + 12 + 16 + 3...plain.count + 1 + 12 + 16 + 12).contains(bytes.count))
                #expect(!bytes.indices.dropLast(8).contains { bytes[$0..<$0 + 8].elementsEqual(plain[8..<16]) })
            }
            // Moved to another row, nothing can be read.
            try await test.database.execute("update arrival set sealed = \(sealed[1]) where sealed = \(sealed[0])")
            await #expect(throws: (any Error).self) { try await test.read(account) }
        }
    }

    @Test(
        "ING-05 ACC-16: individuals do not upload as devices, a removed device and one of another account are refused")
    func refusals() async throws {
        try await IngestionTest.with { test in
            let body = Array(#"{"upload": 1, "sent_at": "2026-11-20T10:00:00Z", "series": []}"#.utf8)
            let person = try await test.post("uploads", body, token: try test.token(of: account))
            #expect(person.status == .forbidden)
            try await test.change(
                1, .init(deviceID: device, accountID: account, dataTypes: [], isRemoved: true))
            let sent = Array(
                """
                {"upload": 1, "sent_at": "2026-11-20T10:00:00Z", "series": [
                  {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0], "values": [61]}]}
                """.utf8)
            let removed = try await test.post("uploads", sent, token: try test.token(device: device, of: account))
            #expect(removed.status == .forbidden)
            #expect(try await test.code(removed) == "device-removed")
            let others = UUID.random()
            try await test.change(
                2, .init(deviceID: others, accountID: .random(), dataTypes: [.heartRate], isRemoved: false))
            let foreign = try await test.post("uploads", sent, token: try test.token(device: others, of: account))
            #expect(foreign.status == .forbidden)
            #expect(try await test.code(foreign) == "device-removed")
            #expect(try await test.database.queryOne("select count(*) from arrival", as: Int.self) == 0)
        }
    }

    @Test("ING-02d: what the commit refuses is never answered as stored")
    func storedMeansCommitted() async throws {
        try await IngestionTest.with { test in
            try await test.database.batch([
                """
                create function refuse() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$
                """,
                """
                create constraint trigger refusal after insert on arrival deferrable initially deferred
                for each row execute function refuse()
                """,
            ])
            let sent = Array(
                """
                {"upload": 1, "sent_at": "2026-11-20T10:00:00Z", "series": [
                  {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0], "values": [61]}]}
                """.utf8)
            let answer = try await test.post("uploads", sent, token: try test.token(device: device, of: account))
            #expect(answer.status == .internalServerError)
            #expect(try await test.database.queryOne("select count(*) from arrival", as: Int.self) == 0)
        }
    }

    @Test(
        "ING-02 SOS-05: a time of sending that no clock shows is refused",
        arguments: ["0001-01-01T00:00:00Z", "1969-12-30T23:59:59Z", "2200-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
    func sentAt(text: String) async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            let sent = Array(
                """
                {"upload": 1, "sent_at": "\(text)", "series": [
                  {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0], "values": [61]}]}
                """.utf8)
            let answer = try await test.post("uploads", sent, token: try test.token(device: device, of: account))
            #expect(answer.status == .unprocessableContent)
            #expect(try await test.code(answer) == "sent-at-out-of-range")
        }
    }

    @Test("ING-02: a repeat is answered in the same way, whoever is watched and whatever is paused by then")
    func repeatsLater() async throws {
        try await IngestionTest.with { test in
            let far = heartRates([35], from: IngestionTest.start + .seconds(400))
            // Refused then, and not taken later because the person is watched.
            let first = try await test.upload(1, [heartRates([61]), far], device: device, of: account)
            try await test.watch(account)
            let second = try await test.upload(1, [heartRates([61]), far], device: device, of: account)
            #expect(first.refused.map(\.reason) == ["future"] && second.refused == first.refused)
            #expect(second.repeated && second.stored == 1)
            // Taken then, and not refused later because nobody watches any more.
            let sentAt = IngestionTest.start + .seconds(400)
            let taken = try await test.upload(2, [far], device: device, of: account, sentAt: sentAt)
            try await test.watch(account, false, version: 2)
            let again = try await test.upload(2, [far], device: device, of: account, sentAt: sentAt)
            #expect(taken.stored == 1 && again.stored == 1 && again.repeated && again.refused.isEmpty)
            // Paused then, and said so later.
            try await test.change(
                1, .init(accountID: account, kind: .individual, subject: 5, paused: ["position"]))
            let position = SampleSeries(
                type: .position, start: IngestionTest.start, offsets: [0], latitudes: [45.4], longitudes: [9.2])
            let paused = try await test.upload(3, [heartRates([61]), position], device: device, of: account)
            try await test.change(
                2, .init(accountID: account, kind: .individual, subject: 5, paused: []))
            let resumed = try await test.upload(3, [heartRates([61]), position], device: device, of: account)
            #expect(paused.paused == ["position"] && resumed.paused == ["position"] && resumed.repeated)
        }
    }

    @Test("ACC-14c: what a device is not to provide is dropped, said and not published; from others it is taken")
    func withheld() async throws {
        try await IngestionTest.with { test in
            let steps = single(.steps, 9, at: IngestionTest.start)
            try await test.watch(account)
            try await test.change(
                3, .init(deviceID: device, accountID: account, dataTypes: [.steps, .position], isRemoved: false))
            for isRepeated in [false, true] {
                let answer = try await test.upload(1, [heartRates([61]), steps], device: device, of: account)
                #expect(answer.stored == 1 && answer.repeated == isRepeated)
                #expect(answer.withheld == ["heart-rate"])
            }
            #expect(try await test.read(account).series.map(\.type) == [.steps])
            let live = try await test.events(Ingestion.liveFeed, as: "dispatcher")
            #expect(try live.flatMap { try $0.decode(Ingestion.LiveSamples.self).series.map(\.type) } == [.steps])
            let other = try await test.upload(1, [heartRates([62])], device: .random(), of: account)
            #expect(other.stored == 1 && other.withheld.isEmpty)
            try await test.change(4, .init(deviceID: device, accountID: account, dataTypes: [], isRemoved: false))
            let silent = try await test.upload(2, [heartRates([61]), steps], device: device, of: account)
            #expect(silent.stored == 0 && silent.withheld == ["heart-rate", "steps"])
            try await test.change(
                5, .init(deviceID: device, accountID: account, dataTypes: [.heartRate], isRemoved: false))
            #expect(try await test.upload(3, [heartRates([63])], device: device, of: account).stored == 1)
        }
    }

    @Test("ING-03: manual entries are stored, the same one once")
    func manual() async throws {
        try await IngestionTest.with { test in
            let body = Array(
                """
                {"series": [{"type": "weight", "unit": "lb", "start": "2026-11-20T07:00:00Z", "offsets_ms": [0],
                  "values": [150]}]}
                """.utf8)
            for isRepeated in [false, true] {
                let response = try await test.post("samples", body, token: try test.token(of: account))
                let answer = try await test.decoded(response, IngestionTest.Answer.self)
                #expect(answer.stored == 1 && answer.repeated == isRepeated)
            }
            #expect(try await test.read(account).series.first?.values == [68.04])
        }
    }

    @Test("ING-14ab: of what the accounts service says is paused nothing is stored, and third parties get nothing")
    func paused() async throws {
        try await IngestionTest.with { test in
            try await test.change(
                1, .init(accountID: account, kind: .individual, subject: 5, paused: ["health"]))
            let position = SampleSeries(
                type: .position, start: IngestionTest.start, offsets: [0], latitudes: [45.4], longitudes: [9.2])
            let answer = try await test.upload(1, [heartRates([61]), position], device: device, of: account)
            #expect(answer.stored == 1 && answer.paused == ["health"])
            #expect(try await test.read(account).series.map(\.type) == [.position])
            let nothing = try await test.upload(2, [heartRates([61])], device: device, of: account)
            #expect(nothing.stored == 0)
        }
    }

    @Test("Of two that make a person's first key at the same time both get the same")
    func keyRace() async throws {
        try await IngestionTest.with { test in
            let cipher = FieldCipher(try KeyRing(["1": .random()], current: "1"))
            let replicas = (0..<4).map { _ in SubjectKeys(store: test.keyStore, cipher: cipher) }
            let place = FieldLocation("test", row: account)
            let sealed = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<40 {
                    group.addTask { try await replicas[number % 4].key(of: account)!.seal([1, 2, 3], at: place) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let key = try await replicas[0].key(of: account)!
            for bytes in sealed { #expect(try key.open(bytes, at: place) == [1, 2, 3]) }
        }
    }
}
