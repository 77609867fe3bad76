import Contracts
import Domain
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct ReadWatchedTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let start = IngestionTest.start

    private func read(
        _ test: IngestionTest, after: Int64 = 0, limit: Int = 1000, from: Duration = .seconds(-1000),
        to: Duration = .seconds(1000), as caller: String = "track4run"
    ) async throws -> Ingestion.ReadWatched.Result {
        try await test.service.rpc(as: caller).call(
            Ingestion.ReadWatched.self,
            .init(
                accountID: account, types: [.heartRate], from: start + from, to: start + to, after: after, limit: limit)
        )
    }

    private func values(_ result: Ingestion.ReadWatched.Result) -> [Double] {
        result.samples.flatMap(\.series).flatMap { $0.values ?? [] }
    }

    @Test("RUN-10: a watch entitles to what devices have sent of its times, once more, in pages")
    func pages() async throws {
        try await IngestionTest.with { test in
            try await test.watch(
                account, until: start + .seconds(600), by: .track4run, measured: start...start + .seconds(100))
            test.service.clock.advance(by: .seconds(200))
            for number in 0..<4 {
                let from = start + .seconds(number * 60 - 30)
                _ = try await test.upload(
                    Int64(number), [heartRates((0..<60).map { Double(50 + number) + Double($0) / 100 }, from: from)],
                    device: device, of: account)
            }
            var (after, pages, all) = (Int64(0), 0, [Double]())
            while true {
                let page = try await read(test, after: after, limit: 60)
                all += values(page)
                pages += 1
                after = page.next
                guard page.hasMore else { break }
            }
            // 0…29 s of the first, 30…89 s, and 90…100 s of the third.
            #expect(all.count == 30 + 60 + 11 && pages > 1)
            #expect(try await values(read(test, from: .seconds(10), to: .seconds(20))).count == 11)
            #expect(try await read(test).samples.allSatisfy { $0.deviceID == device && $0.receivedAt == $0.sentAt })
            #expect(try await read(test, after: after).samples.isEmpty)
        }
    }

    @Test("RUN-10 NFR-06: without a watch of these times, or after its end, nothing is read; others may not call")
    func entitlement() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61], from: start)], device: device, of: account)
            await expectNotFound { try await read(test) }
            // AutomatedSOS's watch is not the caller's.
            try await test.watch(account)
            await expectNotFound { try await read(test) }
            try await test.watch(
                account, until: start + .seconds(60), by: .track4run, measured: start...start + .seconds(10))
            #expect(try await values(read(test)) == [61])
            await expectNotFound { try await read(test, from: .seconds(11)) }
            await #expect(throws: RPCError.self) { try await read(test, as: "query") }
            test.service.clock.advance(by: .seconds(61))
            await expectNotFound { try await read(test) }
        }
    }

    private func expectNotFound(_ body: () async throws -> Ingestion.ReadWatched.Result) async {
        let error = await #expect(throws: RPCError.self) { _ = try await body() }
        #expect(error?.code == .notFound)
    }
}
