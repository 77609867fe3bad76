import Contracts
import Domain
import Postgres
import Primitives
import RPC

/// `ingestion.types` (REQ-03).
struct TypesMethod: Sendable {
    let database: Database

    /// `shard` gives the method of a person's shard.
    static func register(
        in router: inout RPCRouter, of shard: @escaping @Sendable (UUID) async throws -> TypesMethod
    ) {
        router.register(Ingestion.Types.self, allow: [ServiceName.query.rawValue]) { params, _ in
            let types = try await shard(params.accountID).database.queryOne(
                ArrivalStore.types(of: params.accountID), as: Int64.self)
            return Ingestion.Types.Result(types: DataType.types(in: types ?? 0))
        }
    }
}
