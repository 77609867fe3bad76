import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Service

/// `ingestion.types` (REQ-03).
struct TypesMethod: Sendable {
    let database: Database

    /// `shard` gives the method of a person's shard. Each call is in the audit trail before it is answered.
    static func register(
        in router: inout RPCRouter, noting audit: AuditWriter,
        of shard: @escaping @Sendable (UUID) async throws -> TypesMethod
    ) {
        router.register(Ingestion.Types.self, allow: [ServiceName.query.rawValue]) { params, context in
            let entry = try AuditWriter.Reading(
                Ingestion.Types.self, of: params.accountID, by: context.caller, params.reason)
            let types = try await shard(params.accountID).database.queryOne(
                ArrivalStore.types(of: params.accountID), as: Int64.self)
            try await audit.note(entry)
            return Ingestion.Types.Result(types: DataType.types(in: types ?? 0))
        }
    }
}
