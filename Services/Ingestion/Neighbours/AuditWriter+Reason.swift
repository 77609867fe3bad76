import Contracts
import Primitives
import RPC
import Service

extension AuditWriter.Reading {
    /// Of a call of `method` by the service `caller` that reads of a person. Errors: `invalidParams` when the purpose is empty or too
    /// long.
    init<Method: RPCMethod>(
        _ method: Method.Type, of account: UUID, by caller: String, _ reason: Ingestion.ReadReason
    ) throws(RPCError) {
        guard (1...AuditTrail.purposeBytesMax).contains(reason.purpose.utf8.count) else {
            throw RPCError(.invalidParams, "purpose must have 1 to \(AuditTrail.purposeBytesMax) bytes.")
        }
        self.init(
            actor: caller, action: Method.name, account: account, purpose: reason.purpose,
            onBehalfOf: reason.onBehalfOf)
    }
}
