import Contracts
import Domain
import Postgres
import Primitives
import RPC

/// `ingestion.types` (REQ-03). The times are those of what was stored together with the data type: never narrower than the
/// type's own.
struct TypesMethod: Sendable {
    let database: Database

    func register(in router: inout RPCRouter) {
        router.register(Ingestion.Types.self, allow: [ServiceName.query.rawValue]) { params, _ in
            Ingestion.Types.Result(types: try await available(params.accountID))
        }
    }

    func available(_ account: UUID) async throws(PostgresError) -> [Ingestion.Types.Available] {
        let rows = try await database.query(
            ArrivalStore.spans(of: account), as: Int64.self, Timestamp.self, Timestamp.self)
        return DataType.allCases.compactMap { type in
            let spans = rows.filter { $0.0 & type.bit != 0 }
            guard let earliest = spans.map(\.1).min(), let latest = spans.map(\.2).max() else { return nil }
            return Ingestion.Types.Available(type: type, earliest: earliest, latest: latest)
        }
    }
}
