import Contracts
import HTTP
import Primitives
import Security
public import Service

/// Calls each route of a service with each token that must not pass.
public enum AccessWalk {
    /// What was let in, or was answered other than by 401 or 403, in words; empty when all is well. A browser's cookie alone
    /// changes nothing, also where its token would pass.
    ///
    /// - Parameters:
    ///   - open: the names of the routes that look at no token, as in `GET /accounts/v1/terms`: a route that becomes open,
    ///     or ceases to be, is a fault.
    ///   - tokens: makes tokens whose signature the service accepts.
    public static func faults(
        in service: AssembledService, tokens: TestTokens, open: Set<String>
    ) async throws -> [String] {
        // Those that every service has beside its own are not walked.
        let routes = service.routes.filter { $0.pattern.contains("/v1/") }
        let declared = Set(routes.filter { if case .open = $0.caller { true } else { false } }.map(\.name))
        var faults = declared.symmetricDifference(open).sorted().map { "\($0): open or not?" }
        for route in routes {
            guard case .token(let access) = route.caller else { continue }
            for (name, token) in try refused(by: access, tokens) {
                var fields: HTTPFields = ["Content-Type": "application/json"]
                if let token { fields["Authorization"] = "Bearer \(token)" }
                let answer = try await service.answer(
                    try HTTPRequest(route.method, target(route.pattern), fields: fields, body: Array("{}".utf8)))
                guard answer.status != .unauthorized, answer.status != .forbidden else { continue }
                faults.append("\(route.name) with \(name): \(answer.status.rawValue)")
            }
            guard !route.method.isSafe, let kind = access.kinds.first else { continue }
            let token = try tokens.token(kind, account: .random(), scopes: AccessScope.allCases.map(\.rawValue))
            let answer = try await service.answer(
                try HTTPRequest(
                    route.method, target(route.pattern), fields: ["Cookie": "\(BrowserSession.access.name)=\(token)"]))
            let problem = String(decoding: try await answer.collectedBody(), as: UTF8.self)
            if answer.status != .forbidden || !problem.contains(#""cross-site-request""#) {
                faults.append("\(route.name) with a cookie alone: \(answer.status.rawValue)")
            }
        }
        return faults
    }

    /// Tokens that must not pass, by what is wrong with them.
    private static func refused(
        by access: Access, _ tokens: TestTokens
    ) throws -> [(name: String, token: String?)] {
        let account = UUID.random()
        let foreign = TestTokens(clock: SystemClock())
        var refused: [(name: String, token: String?)] = [("no token", nil), ("nonsense", "nonsense")]
        for kind in access.kinds {
            let scopes = AccessScope.allCases.map(\.rawValue)
            refused.append(
                ("an expired \(kind)", try tokens.token(kind, account: account, scopes: scopes, age: .seconds(1000))))
            refused.append(("a foreign \(kind)", try foreign.token(kind, account: account, scopes: scopes)))
        }
        let all = AccessScope.allCases
        let sets = [[], all] + all.map { one in all.filter { $0 != one } } + all.map { [$0] }
        for kind in Identity.Kind.allCases {
            for scopes in sets {
                for client in [nil, UUID.random().description] where !passes(kind, scopes, client, access) {
                    let names = scopes.map(\.rawValue)
                    let token = try tokens.token(
                        kind, account: account, scopes: names, session: .random(), client: client)
                    refused.append(("\(kind) for \(names)\(client == nil ? "" : " of a program")", token))
                }
            }
        }
        return refused
    }

    /// The rule, said a second time.
    private static func passes(
        _ kind: Identity.Kind, _ scopes: [AccessScope], _ client: String?, _ access: Access
    ) -> Bool {
        guard access.kinds.contains(kind) else { return false }
        if access.needsLogIn, client != nil { return false }
        guard let scope = access.scope else { return true }
        if scopes.contains(scope) { return true }
        return scopes.isEmpty && kind != .thirdParty && kind != .application
    }

    /// The pattern with something in place of its parameters.
    static func target(_ pattern: String) -> String {
        pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(":") || $0.hasPrefix("*") ? UUID.random().description : String($0) }
            .joined(separator: "/")
    }
}
