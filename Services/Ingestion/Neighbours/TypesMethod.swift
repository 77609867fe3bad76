import Contracts
import Domain
import Postgres
import RPC

/// `ingestion.types` (REQ-03).
struct TypesMethod: Sendable {
    let database: Database

    func register(in router: inout RPCRouter) {
        router.register(Ingestion.Types.self, allow: [ServiceName.query.rawValue]) { params, _ in
            let types = try await database.queryOne(ArrivalStore.types(of: params.accountID), as: Int64.self)
            return Ingestion.Types.Result(types: DataType.types(in: types ?? 0))
        }
    }
}
