import Contracts
import Domain
import Primitives
import RPC
import ServiceTesting

@testable import Ingestion

extension IngestionTest {
    func item(
        _ account: UUID, _ types: [DataType] = DataType.allCases, after: Ingestion.ReadCursor = .beginning,
        limit: Int = 100_000, from: Timestamp = Timestamp("2000-01-01T00:00:00Z")!,
        to: Timestamp = Timestamp("2100-01-01T00:00:00Z")!, reason: Ingestion.ReadReason = .test
    ) -> Ingestion.ReadMany.Item {
        .init(
            accountID: account, types: types, from: from, to: to, after: after, limit: limit, reason: reason)
    }

    func readMany(
        _ items: [Ingestion.ReadMany.Item], limit: Int = Ingestion.ReadMany.samplesMax
    ) async throws -> [Ingestion.ReadMany.Answer] {
        try await service.rpc(as: "query").call(Ingestion.ReadMany.self, .init(reads: items, limit: limit)).answers
    }
}

extension Ingestion.ReadReason {
    static let test = Self(purpose: "test")
}
