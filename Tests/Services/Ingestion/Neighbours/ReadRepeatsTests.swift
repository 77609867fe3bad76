import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Service
import ServiceTesting
import Telemetry
import Testing

@testable import Ingestion

/// Readers of samples that were sent more than once, under other numbers or in other files.
@Suite struct ReadRepeatsTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let noon = Timestamp("2026-11-18T12:00:00Z")!

    /// Heart rates of the seconds after noon, whose values tell them apart.
    private func series(_ seconds: Range<Int>) -> SampleSeries {
        heartRates(seconds.map { 40 + Double($0) / 10 }, from: noon + .seconds(seconds.lowerBound))
    }

    private func values(_ series: [SampleSeries], _ type: DataType = .heartRate) -> [Double] {
        series.filter { $0.type == type }.flatMap { $0.values ?? [] }
    }

    private func expected(_ seconds: Range<Int>) -> [Double] { seconds.map { 40 + Double($0) / 10 } }

    enum Sealed: CaseIterable { case nothing, first, all }

    @Test(
        "REQ-07 ING-02c: a device that sends again what it kept, with new readings, is delivered once, sealed or not",
        arguments: Sealed.allCases)
    func backlog(sealed: Sealed) async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [series(0..<10), single(.steps, 7, at: noon)], device: device, of: account)
            let first = try await test.readAll(account)
            #expect(values(first.series) == expected(0..<10) && values(first.series, .steps) == [7])
            if sealed != .nothing { try await test.seal(account) }
            _ = try await test.upload(
                2, [series(0..<15), single(.steps, 7, at: noon), single(.steps, 8, at: noon)], device: device,
                of: account)
            _ = try await test.upload(3, [series(5..<20)], device: device, of: account)
            if sealed == .all { try await test.seal(account) }
            let second = try await test.readAll(account, from: first.next)
            #expect(values(second.series).sorted() == expected(10..<20) && values(second.series, .steps) == [8])
            // Also for who has read nothing yet, an upload at a time.
            let all = try await test.readAll(account, limit: 1)
            #expect(values(all.series).sorted() == expected(0..<20))
            #expect(values(all.series, .steps).sorted() == [7, 8])
        }
    }

    @Test("REQ-07: a file that is imported again with more in it is delivered once")
    func importedAgain() async throws {
        try await IngestionTest.with { test in
            test.service.start()
            let imports = ImportTest(test: test, account: account)
            for seconds in [40, 50] {
                let status = try await imports.finished(try await imports.send(ImportTest.gpx(seconds)))
                #expect(status.state == "done")
                let read = try await test.readAll(account, limit: 7)
                #expect(values(read.series).count == seconds)
                #expect(read.series.filter { $0.type == .position }.reduce(0) { $0 + $1.count } == seconds)
            }
        }
    }

    @Test("NFR-06a: what is sent again after it was deleted is delivered again")
    func deleted() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [series(0..<10)], device: device, of: account)
            let first = try await test.readAll(account)
            let body = #"{"from": "\#(noon)", "to": "\#(noon + .seconds(5))"}"#
            let response = try await test.post("deletions", Array(body.utf8), token: try test.token(of: account))
            #expect(response.status == .accepted)
            #expect(try await test.deletionWorker().deleteNext())
            _ = try await test.upload(2, [series(0..<12)], device: device, of: account)
            let again = try await test.readAll(account, from: first.next)
            #expect(values(again.series).sorted() == expected(0..<5) + expected(10..<12))
        }
    }
}
