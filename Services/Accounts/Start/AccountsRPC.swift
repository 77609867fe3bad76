import Contracts
import JSON
import RPC
import Service

/// The methods for other services, and which callers may call them.
struct AccountsRPC: Sendable {
    let directory: Directory
    let provisioning: Provisioning
    let issuer: TokenIssuer
    let admission: Admission
    let suspension: Suspension
    let erasures: Erasures
    let keys: SigningKeys
    /// While it is on, nobody is found here, and no name is told; alarms go on.
    let withholding: Withholding
    /// Names of clients that may provision people, and admit third parties, as the operator may.
    let provisioningClients: Set<String>

    /// Names that the configuration may list there.
    static let provisioningClientsMax: Set<String> = ["simulator", "operator"]

    func add(to router: inout RPCRouter) {
        let (directory, provisioning, keys, erasures) = (directory, provisioning, keys, erasures)
        let (admission, suspension, issuer, withholding) = (admission, suspension, issuer, withholding)
        router.answer(Accounts.Keys.self, allow: Set(ServiceName.allCases.map(\.rawValue))) { _, _ in
            .init(keySet: try JSONRaw(encoding: keys.published))
        }
        router.answer(Accounts.Find.self, allow: ["query", "track4run"]) { params, context in
            try withholding.checkCall()
            return .init(accountID: try await directory.find(params, caller: context.caller))
        }
        router.answer(Accounts.Name.self, allow: ["query", "track4run"]) { params, context in
            try withholding.checkCall()
            return try await directory.name(params, caller: context.caller)
        }
        router.answer(Accounts.Requester.self, allow: ["query"]) { params, context in
            try withholding.checkCall()
            return try await directory.requester(params, caller: context.caller)
        }
        router.answer(Accounts.Active.self, allow: ["query"]) { params, _ in
            .init(accountIDs: try await directory.active(params.accountIDs))
        }
        router.answer(Accounts.Identity.self, allow: ["dispatcher"]) { params, context in
            try await directory.identity(params, caller: context.caller)
        }
        router.answer(Accounts.Wearer.self, allow: ["dispatcher"]) { params, context in
            try await directory.wearer(params, caller: context.caller)
        }
        router.answer(
            Accounts.Notify.self, allow: ["query", "dispatcher", "track4run", "ingestion"]
        ) { params, _ in
            try await directory.notify(params)
            return Empty()
        }
        router.answer(Accounts.Mail.self, allow: ["dispatcher"]) { params, _ in
            try await directory.mail(params)
            return Empty()
        }
        router.answer(
            Accounts.ReportErasure.self, allow: ["query", "dispatcher", "track4run", "ingestion"]
        ) { params, context in
            try await erasures.report(params, from: context.caller)
            return Empty()
        }
        router.answer(Accounts.Provision.self, allow: provisioningClients) { params, context in
            try withholding.checkCall()
            let people = try await provisioning.provision(params, caller: context.caller)
            return .init(
                people: try people.map {
                    .init(
                        accountID: $0.account, deviceID: $0.device,
                        accessToken: params.tokens ?? true
                            ? try issuer.token(forDevice: $0.device, of: $0.account) : nil)
                })
        }
        router.answer(Accounts.Admit.self, allow: provisioningClients.union(["operator"])) { params, context in
            .init(accountID: try await admission.change(params, by: context.caller))
        }
        router.answer(Accounts.Suspend.self, allow: ["operator"]) { params, context in
            .init(accountID: try await suspension.change(params, by: context.caller))
        }
    }
}
