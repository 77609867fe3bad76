import Contracts
import RPC
public import Service

/// Calls each RPC method of a service as each client that it does not name (OWASP API5:2023, broken function level authorization).
public enum ClientWalk {
    /// Every name that a certificate in a deployment has, one that none has, and none.
    private static let names = ServiceName.allCases.map(\.rawValue) + ["simulator", "operator", "stranger", ""]

    /// Which methods are for others than the table says, and which let in somebody else, in words; empty when all is well. A method that
    /// is not in the table is a fault, so that whom a new one is for is thought of.
    ///
    /// - Parameter table: the clients of each method, by its name.
    public static func faults(in service: AssembledService, table: [String: Set<String>]) async -> [String] {
        let declared = service.rpc.clients
        var faults: [String] = []
        for method in Set(declared.keys).union(table.keys).sorted() {
            let (found, wanted) = (declared[method]?.sorted(), table[method]?.sorted())
            if found != wanted {
                faults.append(
                    "\(method): for \(found?.description ?? "nobody"), not \(wanted?.description ?? "decided")")
            }
            let clients = table[method] ?? []
            for name in names {
                let caller = LocalCaller(router: service.rpc, as: name)
                // Parameters of no method: they are looked at once a client is let in, and nothing more happens.
                let line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":[]}"
                let answer = await caller.answer(Array(line.utf8))
                let code: RPCError.Code? = if case .failure(let error) = answer { error.code } else { nil }
                let isRefused = code == .notAllowed || code == .methodNotFound
                guard isRefused == clients.contains(name) else { continue }
                faults.append("\(method) by '\(name)': \(answer)")
            }
        }
        return faults
    }
}
