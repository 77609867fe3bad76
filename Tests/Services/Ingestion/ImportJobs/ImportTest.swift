import Domain
import HTTP
import Primitives
import Reactor
import ReactorTesting
import ServiceTesting
import Testing

@testable import Ingestion

/// What tests of imports ask of the service.
struct ImportTest: Sendable {
    struct Status: Decodable {
        struct Report: Decodable {
            struct Skip: Decodable {
                let type: String?
                let reason: String
                let count: Int
            }
            struct Failure: Decodable { let explanation: String }
            let taken: [String: Int]
            let repeated: Int
            let doubled: Int
            let paused: [String]
            let dropped: Int
            let beyondQuota: Int
            let deleted: Int
            let skipped: [Skip]
            let failure: Failure?
        }
        let id: UUID
        let state: String
        let receivedBytes: Int
        let lengthBytes: Int?
        let readBytes: Int
        let report: Report
    }

    let test: IngestionTest
    let account: UUID

    /// `seconds` points of a track from 2026-05-01T07:00:00Z on, one a second, with heart rates.
    static func gpx(_ seconds: Int, end: String = "</trkseg></trk></gpx>") -> [UInt8] {
        var text = #"<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
        for second in 0..<seconds {
            let time = Timestamp("2026-05-01T07:00:00Z")! + .seconds(second)
            text += """
                <trkpt lat="\(45.4 + Double(second) / 1e5)" lon="9.2"><ele>120.5</ele><time>\(time)</time>
                <extensions><hr>\(120 + second % 9)</hr></extensions></trkpt>
                """
        }
        return Array((text + end).utf8)
    }

    func call(
        _ method: HTTPMethod, _ path: String = "/ingestion/v1/imports", _ fields: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> HTTPResponse {
        try await test.service.call(method, path, token: try test.token(of: account), fields: fields, body: body)
    }

    /// A file in one request. Returns the import's path.
    func send(_ body: [UInt8]) async throws -> String {
        let response = try await call(
            .post, "/ingestion/v1/imports", ["Content-Type": "application/gpx+xml"], body: body)
        #expect(response.status == .accepted)
        return try #require(response.fields["Location"])
    }

    func status(_ path: String) async throws -> Status {
        let response = try await call(.get, path)
        #expect(response.status == .ok)
        return try await test.decoded(response)
    }

    /// The state once the import is done. The service must have been started.
    func finished(_ path: String) async throws -> Status {
        let deadline = Deadline.after(.patience)
        while true {
            let status = try await status(path)
            if status.state == "done" { return status }
            try #require(!deadline.hasPassed, "the import is not done: \(status.state)")
            try await EventLoop.current?.sleep(for: .milliseconds(5))
        }
    }

    func imported(_ body: [UInt8]) async throws -> Status { try await finished(try await send(body)) }
}
