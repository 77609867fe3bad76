public import HTTP
import Primitives
public import Security
public import Service

/// Calls each route that names something by its id, as another person than the one it belongs to (OWASP API1:2023, broken object level
/// authorization).
public enum OwnershipWalk {
    /// What was answered other than as if there were no such thing, in words; empty when all is well. A route with a parameter that is
    /// not among `things` is a fault, so that a new one is thought of.
    ///
    /// - Parameters:
    ///   - things: the path of something that belongs to somebody, by the route's pattern.
    ///   - bodies: what to send, where an empty object is refused before anything is looked up; by the route's name.
    ///   - fields: what to send with it, where that is not enough; by the route's name.
    ///   - forEverybody: the names of routes by which everybody may do something with what is somebody else's.
    ///   - visible: the patterns of things that everybody may see, so that 403 tells nothing.
    ///   - token: of somebody else, who may call the route for what is theirs.
    public static func faults(
        in service: AssembledService, things: [String: String], bodies: [String: String] = [:],
        fields: [String: HTTPFields] = [:], forEverybody: Set<String> = [], visible: Set<String> = [],
        token: (TokenClaims.Kind) throws -> String
    ) async throws -> [String] {
        var faults: [String] = []
        for route in service.routes where route.pattern.contains("/v1/") && route.pattern.contains(":") {
            guard case .token(let access) = route.caller, !forEverybody.contains(route.name) else { continue }
            guard let path = things[route.pattern] else {
                faults.append("\(route.name): whose is it?")
                continue
            }
            for kind in access.kinds {
                var sent = fields[route.name] ?? ["Content-Type": "application/json"]
                sent["Authorization"] = "Bearer \(try token(kind))"
                let answer = try await service.answer(
                    try HTTPRequest(
                        route.method, path, fields: sent, body: Array((bodies[route.name] ?? "{}").utf8)))
                if answer.status == .notFound || answer.status == .forbidden && visible.contains(route.pattern) {
                    continue
                }
                let text = String(decoding: try await answer.collectedBody().prefix(200), as: UTF8.self)
                faults.append("\(route.name) as another \(kind): \(answer.status.rawValue) \(text)")
            }
        }
        return faults
    }
}
