import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct UploadClockTests {
    private let account = UUID.random()
    private let device = UUID.random()

    @Test("ING-02: every answer tells the time here")
    func serverTime() async throws {
        try await IngestionTest.with { test in
            let first = try await test.upload(1, [heartRates([61])], device: device, of: account)
            #expect(first.serverTime == IngestionTest.start)
            test.service.clock.advance(by: .seconds(5))
            let again = try await test.upload(1, [heartRates([61])], device: device, of: account)
            #expect(again.repeated && again.serverTime == IngestionTest.start + .seconds(5))
        }
    }

    @Test(
        "ING-02: of a clock that is far behind nothing is stored, and its device is told the time; then it sends again")
    func behind() async throws {
        try await IngestionTest.with { test in
            let now = IngestionTest.start
            for behind in [SampleClock.behindMax + .seconds(1), .seconds(86_400 * 365 * 20)] {
                let refused = try await test.send(
                    1, [heartRates([61])], device: device, of: account, sentAt: now - behind)
                #expect(refused.status == .unprocessableContent)
                let body = String(decoding: try await refused.collectedBody(), as: UTF8.self)
                #expect(body.contains("clock-behind") && body.contains("\(now)") && body.contains("/sent_at"))
            }
            #expect(try await test.database.queryOne("select count(*) from arrival", as: Int.self) == 0)
            let late = try await test.upload(
                1, [heartRates([61])], device: device, of: account, sentAt: now - SampleClock.behindMax)
            #expect(late.stored == 1 && !late.repeated)
        }
    }

    @Test("SOS-05: a clock that is behind costs nobody samples whom AutomatedSOS watches")
    func watched() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            let start = IngestionTest.start
            for (upload, off) in [(1, -86_400.0), (2, 86_400 * 365 * 5)] {
                let sentAt = start + .seconds(off)
                let sent = heartRates([60 + Double(upload)], from: sentAt - .seconds(10))
                for isRepeated in [false, true] {
                    let answer = try await test.upload(
                        Int64(upload), [sent], device: device, of: account, sentAt: sentAt)
                    #expect(answer.stored == 1 && answer.refused.isEmpty && answer.repeated == isRepeated)
                }
            }
            let read = try await test.read(account)
            #expect(read.series.map(\.values) == [[61], [62]])
            #expect(read.series.allSatisfy { $0.start == start - .seconds(10) })
        }
    }

    @Test("SOS-05: a device of a watched person whose clock and count begin anew together is told, and nothing is lost")
    func clockAndCount() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            _ = try await test.upload(1, [heartRates([60])], device: device, of: account)
            let old = IngestionTest.start - .seconds(35 * 86_400)
            try await test.database.execute(
                "update upload set first = 1, upload = 50, content = null, samples = null, answer = null, received_at = \(old)"
            )
            let sentAt = Timestamp("1990-01-01T00:01:00Z")!
            let sent = [heartRates([140], from: sentAt - .seconds(10))]
            let refused = try await test.send(3, sent, device: device, of: account, sentAt: sentAt)
            #expect(refused.status == .conflict)
            let answer = try await test.upload(51, sent, device: device, of: account, sentAt: sentAt)
            #expect(answer.stored == 1 && !answer.repeated)
        }
    }

    @Test(
        "ING-02c: an upload that was stored while its sender was watched is answered as it was, also when nobody watches any more"
    )
    func notWatchedAnyMore() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            let sentAt = IngestionTest.start - .seconds(7200)
            let sent = [heartRates([61], from: sentAt - .seconds(10))]
            _ = try await test.upload(1, sent, device: device, of: account, sentAt: sentAt)
            try await test.database.execute("delete from watch")
            let again = try await test.upload(1, sent, device: device, of: account, sentAt: sentAt)
            #expect(again.stored == 1 && again.repeated)
            let another = try await test.send(2, sent, device: device, of: account, sentAt: sentAt)
            #expect(another.status == .unprocessableContent)
        }
    }

    @Test("SOS-04 ING-02f: a device is told to measure three times a second while AutomatedSOS watches its wearer")
    func sampling() async throws {
        try await IngestionTest.with { test in
            func sampling(_ upload: Int64) async throws -> String {
                try await test.upload(upload, [heartRates([61])], device: device, of: account).sampling
            }
            #expect(try await sampling(1) == "normal")
            try await test.watch(account)
            #expect(try await sampling(2) == "three-per-second")
            #expect(try await sampling(2) == "three-per-second")
            try await test.watch(account, false, version: 2)
            #expect(try await sampling(2) == "normal")
            let start = IngestionTest.start
            try await test.watch(account, by: .track4run, measured: start...start + .seconds(60))
            #expect(try await sampling(3) == "normal")
        }
    }

    @Test("ING-02b: a sample without a value is refused by itself, and all the others are stored")
    func nulls() async throws {
        try await IngestionTest.with { test in
            let body = """
                {"upload": 1, "sent_at": "2026-11-20T10:00:00Z", "series": [
                  {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000, 2000],
                   "values": [61, null, 63]}]}
                """
            let response = try await test.post(
                "uploads", Array(body.utf8), token: try test.token(device: device, of: account))
            let answer = try await test.decoded(response, IngestionTest.Answer.self)
            #expect(answer.stored == 2 && answer.refused.map(\.index) == [1] && answer.refusedCount == 1)
            #expect(try await test.read(account).series.map(\.values) == [[61, 63]])
        }
    }
}
