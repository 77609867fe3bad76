import Contracts
import Domain
import Primitives
import ProcessTesting
import RPC
import Reactor
import SuiteClient
import Testing

extension API {
    /// Uploads, again under its number until it is acknowledged, as devices do. All of it must be stored.
    func uploadUntilAcknowledged(_ series: SampleSeries, number: Int, within time: Duration = .seconds(60)) async throws
    {
        _ = try await eventually("upload \(number) is acknowledged", within: time) {
            () async throws(SuiteError) -> Bool? in
            try await unlessAway { () async throws(SuiteError) in
                let receipt = try await self.upload(Upload(upload: number, sentAt: .now(), series: [series]))
                #expect(receipt.stored == series.count && receipt.refused.isEmpty)
                return true
            }
        }
    }
}

/// `nil` when the service cannot be reached or asks to be called again.
func unlessAway<R>(_ body: () async throws(SuiteError) -> R) async throws(SuiteError) -> R? {
    do throws(SuiteError) { return try await body() } catch {
        if case .unreachable = error { return nil }
        guard error.isPassing else { throw error }
        return nil
    }
}

extension RPCClient {
    /// The times of all heart rates of a person, ascending, as the query service gets them.
    func heartRateTimes(of account: UUID) async throws -> [Timestamp] {
        var times: [Timestamp] = []
        var after = Ingestion.ReadCursor.beginning
        while true {
            let page = try await call(
                Ingestion.Read.self,
                .init(
                    accountID: account, types: [.heartRate], from: Timestamp(milliseconds: 0), to: .now(),
                    after: after, limit: 20_000, waitMilliseconds: 0, reason: .init(purpose: "test")),
                deadline: .after(.seconds(10)))
            for series in page.series { times += (0..<series.count).map { series.time($0) } }
            guard page.hasMore else { return times.sorted() }
            after = page.next
        }
    }
}
