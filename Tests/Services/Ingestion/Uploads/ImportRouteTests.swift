import Contracts
import Domain
import HTTP
import Primitives
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct ImportRouteTests {
    private struct Report: Decodable {
        struct Skip: Decodable {
            let type: String?
            let reason: String
            let count: Int
        }
        struct Failure: Decodable { let line: Int }
        let taken: [String: Int]
        let repeated: Int
        let skipped: [Skip]
        let failure: Failure?
    }

    private let account = UUID.random()

    private func gpx(_ points: Int, end: String = "</trkseg></trk></gpx>") -> [UInt8] {
        var text = #"<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
        for second in 0..<points {
            let time = Timestamp("2026-05-01T07:00:00Z")! + .seconds(second)
            text += """
                <trkpt lat="\(45.4 + Double(second) / 1e5)" lon="9.2"><ele>120.5</ele><time>\(time)</time>
                <extensions><hr>\(120 + second % 9)</hr></extensions></trkpt>
                """
        }
        return Array((text + end).utf8)
    }

    private func report(_ test: IngestionTest, _ body: [UInt8]) async throws -> Report {
        let response = try await test.service.call(
            .post, "/ingestion/v1/imports", token: try test.token(of: account),
            fields: ["Content-Type": "application/gpx+xml"], body: body)
        #expect(response.status == .ok)
        return try await test.decoded(response)
    }

    @Test("ING-04bh: a GPX file is taken with a report, and the same file again is stored once")
    func imports() async throws {
        try await IngestionTest.with { test in
            let first = try await report(test, gpx(300))
            #expect(first.taken == ["heart-rate": 300, "position": 300])
            #expect(first.repeated == 0 && first.failure == nil)
            let second = try await report(test, gpx(300))
            #expect(second.repeated == 600)
            let read = try await test.read(account)
            #expect(read.series.map(\.count) == [300, 300])
            let position = read.series.first { $0.type == .position }
            #expect(position?.latitudes?[10] == 45.4001 && position?.altitudes?[0] == 120.5)
        }
    }

    @Test("ING-04h: what was read before a file breaks off stays, and the report says where it broke")
    func brokenFile() async throws {
        try await IngestionTest.with { test in
            let report = try await report(test, gpx(20, end: "<trkpt lat"))
            #expect(report.taken["heart-rate"] == 20 && report.failure != nil)
            #expect(try await test.read(account).series.map(\.count) == [20, 20])
        }
    }

    @Test("ING-04: the whole of a file that broke off before counts what came before once")
    func wholeAfterBroken() async throws {
        struct Counted: Decodable {
            struct Statistics: Decodable { let count: Int }
            let statistics: Statistics
        }
        try await IngestionTest.with { test in
            _ = try await report(test, gpx(20, end: "<trkpt lat"))
            _ = try await report(test, gpx(30))
            let answer: Counted = try await test.decoded(
                try await test.get(
                    "statistics?type=heart-rate&from=2026-05-01T00:00:00Z&to=2026-05-02T00:00:00Z", of: account))
            #expect(answer.statistics.count == 30)
        }
    }

    @Test("ING-04: a file of another format is refused in words, and one of no time tells why nothing was taken")
    func otherFormats() async throws {
        try await IngestionTest.with { test in
            let response = try await test.service.call(
                .post, "/ingestion/v1/imports", token: try test.token(of: account), body: Array("hello".utf8))
            #expect(response.status == .unsupportedMediaType)
            #expect(try await test.code(response) == "unsupported-format")
            let text = #"<gpx version="1.1"><trk><trkseg><trkpt lat="45" lon="9"/></trkseg></trk></gpx>"#
            let report = try await report(test, Array(text.utf8))
            #expect(report.taken.isEmpty && report.skipped.map(\.reason) == ["no-time"])
        }
    }

    @Test("A file is cut into the same parts however its bytes arrive")
    func parts() async throws {
        let bytes = gpx(250)
        func parts(of pieceBytes: Int) async throws -> [SampleBatch] {
            let importer = GPXImporter(clock: testClock)
            var batches: [SampleBatch] = []
            var parts = ImportParts(samplesMax: 200) { batch in
                batches.append(batch)
                return .stored(samples: batch.count, dropped: DroppedTypes())
            }
            for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
                try await parts.add(importer.consume(Array(bytes[start..<min(start + pieceBytes, bytes.count)])))
            }
            try await parts.add(importer.finish())
            try await parts.finish()
            return batches
        }
        let whole = try await parts(of: bytes.count)
        #expect(whole.map(\.count) == [200, 200, 50, 50])
        #expect(try await parts(of: 701) == whole)
    }
}
