import Contracts
import Domain
import Postgres
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Ingestion

/// Readers whose samples are put into blocks meanwhile.
@Suite struct ReadPassTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let noon = Timestamp("2026-11-18T12:00:00Z")!

    /// Uploads number `numbers`, each with values of its own, now on one day and now on another.
    private func fill(_ test: IngestionTest, _ numbers: ClosedRange<Int64>) async throws {
        for number in numbers {
            let time = noon - .seconds(86_400 * (number % 4)) + .seconds(number)
            _ = try await test.upload(
                number, [heartRates([40 + Double(number)], from: time), single(.steps, Double(number), at: time)],
                device: device, of: account)
        }
    }

    private func values(_ series: [SampleSeries], _ type: DataType) -> [Double] {
        series.filter { $0.type == type }.flatMap { $0.values ?? [] }.sorted()
    }

    @Test(
        "REQ-07 SUB-02: nothing is lost or doubled when it is sealed, also again, between any two pages",
        arguments: [1, 3, 100])
    func between(limit: Int) async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...20)
            try await test.seal(account)
            try await test.database.execute("delete from arrival")
            var number: Int64 = 20
            let read = try await test.readAll(account, [.heartRate, .steps], limit: limit) { page in
                // Late samples of the same days, sealed at once or not, and what was sealed is gone or not.
                guard number < 40 else { return }
                number += 1
                try await fill(test, number...number)
                if page % 2 == 0 { try await test.seal(account) }
                if page % 3 == 0 {
                    try await test.database.execute(
                        "delete from arrival where arrival <= (select sealed_through from person)")
                }
            }
            let rest = try await test.readAll(account, [.heartRate, .steps], limit: limit, from: read.next)
            let all = read.series + rest.series
            #expect(values(all, .heartRate) == (1...number).map { 40 + Double($0) })
            #expect(values(all, .steps) == (1...number).map { Double($0) })
        }
    }

    @Test("NFR-04: blocks are read only for arrivals that are gone, since a crash may take sealing back")
    func through() async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...8)
            try await test.seal(account)
            func through() async throws -> Int64? {
                let page = ReadStore.arrivals([.init(account: account, after: 0)], rowsMax: 100, bytesMax: 1 << 20)
                guard
                    case .blocks(let through)?? = try ReadStore.Page.pages(
                        try await test.database.run(page), count: 1, rowsMax: 100
                    ).first
                else { return nil }
                return through
            }
            #expect(try await through() == nil)
            try await test.database.execute("delete from arrival where arrival <= 5")
            #expect(try await through() == 5)
            try await test.database.execute("delete from arrival")
            #expect(try await through() == 8)
        }
    }

    @Test("REQ-07: who has read what was not sealed yet gets none of it again")
    func follower() async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...5)
            let first = try await test.readAll(account)
            try await test.seal(account)
            try await test.database.execute("delete from arrival")
            #expect(try await test.readAll(account, from: first.next).series.isEmpty)
            try await fill(test, 6...7)
            let second = try await test.readAll(account, from: first.next)
            #expect(values(second.series, .steps) == [6, 7])
            try await fill(test, 8...9)
            try await test.seal(account)
            try await test.database.execute("delete from arrival")
            // Only what it has not had, out of blocks that have both.
            #expect(values(try await test.readAll(account, from: second.next).series, .steps) == [8, 9])
            let span = try await test.service.rpc(as: "query").call(
                Ingestion.Read.self,
                .init(
                    accountID: account, types: [.steps], from: noon, to: noon + .seconds(3600), after: .beginning,
                    limit: 100, waitMilliseconds: 0, reason: .test))
            #expect(values(span.series, .steps) == [4, 8])
        }
    }

    @Test("REQ-07: a cursor has one length, is read back as it was, and other bytes are none")
    func cursor() throws {
        let cursors: [Ingestion.ReadCursor] = [
            .beginning, .init(after: .max),
            .init(
                after: 7,
                pass: .init(
                    through: 1 << 40, day: CalendarDate("1969-12-31")!, type: 255, source: .max, time: -1_000_000)),
        ]
        for cursor in cursors {
            #expect(cursor.bytes.count == Ingestion.ReadCursor.byteCount)
            #expect(Ingestion.ReadCursor(bytes: cursor.bytes) == cursor)
            #expect(Ingestion.ReadCursor(bytes: Array(cursor.bytes.dropLast())) == nil)
        }
        #expect(Ingestion.ReadCursor(bytes: [UInt8](repeating: 255, count: Ingestion.ReadCursor.byteCount)) == nil)
    }

    @Test("SOS-02 RUN-09: of days whose arrivals are gone a gap is read by the samples' own times")
    func gap() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            try await test.database.execute("update watch set since = '2026-01-01T00:00:00Z'")
            try await fill(test, 1...8)
            try await test.seal(account)
            try await test.database.execute("delete from arrival")
            try await fill(test, 9...9)
            var (seen, cursor) = ([Double](), Ingestion.ReadCursor.beginning)
            for _ in 0..<20 {
                let result = try await test.service.rpc(as: "dispatcher").call(
                    Ingestion.ReadGap.self,
                    .init(
                        accountID: account, types: [.steps], receivedFrom: noon - .seconds(2 * 86_400),
                        receivedTo: Timestamp("2099-01-01T00:00:00Z")!, after: cursor, limit: 2))
                for upload in result.uploads {
                    #expect(upload.samples.deviceID == device)
                    seen += upload.samples.series.flatMap { $0.values ?? [] }
                }
                cursor = result.next
                guard result.hasMore else { break }
            }
            // Numbers 3 and 7 were measured on the day before, and 9 is not in a block.
            #expect(seen.sorted() == [1, 2, 4, 5, 6, 8, 9])
        }
    }

    @Test("REQ-07 SUB-02 SOS-02: arrivals that are gone between two that are there are read from blocks")
    func hole() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            try await fill(test, 1...9)
            try await test.seal(account)
            try await fill(test, 10...12)
            try await test.database.execute("delete from arrival where arrival between 4 and 8")
            let read = try await test.readAll(account, [.steps], limit: 2)
            #expect(values(read.series, .steps) == (1...12).map(Double.init))
            var (seen, cursor) = ([Double](), Ingestion.ReadCursor.beginning)
            for _ in 0..<20 {
                let result = try await test.service.rpc(as: "dispatcher").call(
                    Ingestion.ReadGap.self,
                    .init(
                        accountID: account, types: [.steps], receivedFrom: noon,
                        receivedTo: Timestamp("2099-01-01T00:00:00Z")!, after: cursor, limit: 2))
                seen += result.uploads.flatMap { $0.samples.series.flatMap { $0.values ?? [] } }
                cursor = result.next
                guard result.hasMore else { break }
            }
            #expect(Set(seen).isSuperset(of: [9, 10, 11, 12]) && seen.count == Set(seen).count)
        }
    }
}
