import Contracts
import JSON
import RPC
import Service

/// The methods for the other services, and who may call which.
struct AccountsRPC: Sendable {
    let directory: Directory
    let provisioning: Provisioning
    let issuer: TokenIssuer

    func add(to router: inout RPCRouter) {
        let (directory, provisioning, issuer) = (directory, provisioning, issuer)
        router.answer(Accounts.Keys.self, allow: Set(ServiceName.allCases.map(\.rawValue))) { _, _ in
            .init(keySet: try JSONRaw(encoding: issuer.keySet))
        }
        router.answer(Accounts.Find.self, allow: ["query", "track4run"]) { params, context in
            .init(accountID: try await directory.find(params, caller: context.caller))
        }
        router.answer(Accounts.Profile.self, allow: ["query", "dispatcher", "track4run"]) { params, context in
            try await directory.profile(params, caller: context.caller)
        }
        router.answer(
            Accounts.Notify.self, allow: ["query", "dispatcher", "track4run", "ingestion"]
        ) { params, _ in
            try await directory.notify(params)
            return Empty()
        }
        router.answer(Accounts.Provision.self, allow: ["simulator", "operator"]) { params, _ in
            .init(people: try await provisioning.provision(params.people))
        }
    }
}
