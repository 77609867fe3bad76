import Contracts
import Domain
import HTTP
import JSON
import Primitives
import ServiceTesting
import Testing

@testable import Ingestion

/// A device's upload number stands for what was sent under it first.
@Suite struct UploadConflictTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func post(_ test: IngestionTest, _ body: String) async throws -> HTTPResponse {
        try await test.post("uploads", Array(body.utf8), token: try test.token(device: device, of: account))
    }

    private static func body(_ upload: Int, _ series: String) -> String {
        #"{"upload": \#(upload), "sent_at": "2026-11-20T10:00:00Z", "series": [\#(series)]}"#
    }

    private static let two = #"""
        {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000], "values": [61, 62]}
        """#

    @Test(
        "ING-02: the same number with other content is a conflict that names the upload, and nothing of it is stored",
        arguments: [
            #"{"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000], "values": [61, 63]}"#,
            #"{"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1001], "values": [61, 62]}"#,
            #"{"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0], "values": [61]}"#,
            #"{"type": "stress-level", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000], "values": [61, 62]}"#,
            #"""
            {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000], "values": [61, 62],
             "contact": [true, true]}
            """#,
            #"""
            {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000], "values": [61, 62],
             "durations_ms": [0, 1000]}
            """#,
            #"""
            {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000], "values": [61, 62],
             "zone_offset": "+01:00"}
            """#,
            #"{"type": "aura", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000], "values": [61, 62]}"#,
            #"{"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 1000], "values": [61]}"#,
            "",
        ])
    func conflict(other: String) async throws {
        try await IngestionTest.with { test in
            #expect(try await post(test, Self.body(7, Self.two)).status == .ok)
            let answer = try await post(test, Self.body(7, other))
            #expect(answer.status == .conflict)
            struct Said: Decodable {
                struct Fault: Decodable { let pointer: String }
                let code: String
                let detail: String
                let errors: [Fault]
            }
            let said = try await test.decoded(answer, Said.self)
            #expect(said.code == "upload-conflict" && said.errors.map(\.pointer) == ["/upload"])
            #expect(said.detail.contains("upload 7") && said.detail.contains("2026-11-20T10:00:00Z"))
            #expect(try await test.read(account).series == [heartRates([61, 62])])
            // The device goes on under another number.
            #expect(try await post(test, Self.body(8, other)).status == .ok)
        }
    }

    @Test(
        "ING-02c: however the same samples are written down, they are the same upload",
        arguments: [
            #"{"values": [61, 62], "offsets_ms": [0, 1000], "start": "2026-11-20T09:59:00.000Z", "type": "heart-rate"}"#,
            #"""
            {"type": "heart-rate", "unit": "/min", "start": "2026-11-20T09:58:59Z", "offsets_ms": [2000, 1000],
             "values": [62.0, 61]}
            """#,
            #"""
            {"type": "heart-rate", "start": "2026-11-20T09:59:01Z", "offsets_ms": [0], "values": [62]},
            {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0, 0], "values": [61, 61]}
            """#,
        ])
    func sameContent(again: String) async throws {
        try await IngestionTest.with { test in
            #expect(try await post(test, Self.body(7, Self.two)).status == .ok)
            let answer = try await test.decoded(try await post(test, Self.body(7, again)), IngestionTest.Answer.self)
            #expect(answer.repeated && answer.stored == 2)
        }
    }

    @Test("ING-02c: series that cannot be read are compared by what they say, not by how")
    func unreadable() throws {
        func content(_ text: String) throws -> [UInt8] {
            UploadContent(try JSONDecoder().decode([UploadedSeries].self, from: Array(text.utf8))).bytes
        }
        let one = try content(#"[{"type": "aura", "values": [1, null, {"a": true, "b": "x"}]}]"#)
        #expect(one == (try content(#"[{"values": [1.0, null, {"b": "x", "a": true}], "type": "aura"}]"#)))
        #expect(one != (try content(#"[{"type": "aura", "values": [1, null, {"a": false, "b": "x"}]}]"#)))
        #expect(one != (try content(#"[{"type": "aura", "values": [1, null, {"a": true, "b": "y"}]}]"#)))
        #expect(one != (try content("[]")))
    }

    @Test("ING-02: of uploads that use one number at once, one content is stored, and all that differ are told")
    func atOnce() async throws {
        try await IngestionTest.with { test in
            let outcomes = try await withThrowingTaskGroup(of: (Int, HTTPStatus).self) { group in
                for number in 0..<60 {
                    let series = #"""
                        {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0],
                         "values": [\#(60 + number % 3)]}
                        """#
                    group.addTask { (number % 3, try await post(test, Self.body(1, series)).status) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let stored = try await test.read(account).series
            #expect(stored.count == 1 && stored.first?.count == 1)
            let winner = Int(try #require(stored.first?.values?.first)) - 60
            for (content, status) in outcomes { #expect(status == (content == winner ? .ok : .conflict)) }
        }
    }

    @Test("ING-14a: an upload that was dropped while collection was paused stays dropped when it comes again")
    func dropped() async throws {
        try await IngestionTest.with { test in
            try await test.change(
                1, .init(accountID: account, kind: .individual, subject: 5, paused: ["health"]))
            let first = try await test.upload(1, [heartRates([61])], device: device, of: account)
            try await test.change(2, .init(accountID: account, kind: .individual, subject: 5))
            let second = try await test.upload(1, [heartRates([61])], device: device, of: account)
            #expect(first.stored == 0 && second.stored == 0 && second.repeated && second.paused == ["health"])
            #expect(try await test.read(account).series.isEmpty)
            // Its number is used.
            let other = try await post(test, Self.body(1, Self.two))
            #expect(other.status == .conflict)
        }
    }

    @Test("ING-02: what was refused for its time is refused when the same upload comes again later")
    func refusedBefore() async throws {
        try await IngestionTest.with { test in
            let far = heartRates([61], from: IngestionTest.start + .seconds(400))
            let first = try await test.upload(1, [far], device: device, of: account)
            test.service.clock.advance(by: .seconds(600))
            let second = try await test.upload(1, [far], device: device, of: account)
            #expect(first.stored == 0 && second.stored == 0 && second.refused == first.refused && second.repeated)
            #expect(try await test.upload(2, [far], device: device, of: account).stored == 1)
        }
    }
}
