import Contracts
import Edge
import HTTP
import OpenAPITesting
import Primitives
public import Security
public import Service

/// Sends a service every request that its OpenAPI document shows, the same with something wrong in it, and for each operation some
/// that it must refuse (NFR-09).
public struct DocumentWalk: Sendable {
    /// A token of somebody of this kind, with this scope, as the routes need it.
    public typealias TokenMaker = @Sendable (Identity.Kind, _ scopes: [String]) async throws -> String

    private let router: HTTPRouter
    private let routes: [DeclaredRoute]
    private let document: APIDocument
    private let token: TokenMaker
    private let paths: [String: String]
    /// Who is logged in, for routes with a gate of their own.
    private let gateFields: HTTPFields
    /// What our own page sends with all that changes something, where there is no other way.
    private let pageFields: HTTPFields

    /// - Parameter paths: what stands for a path of the document, or for the beginning of one, so that there is something there:
    ///   `/runs/{run}` → `/runs/ABCDEF`.
    public init(
        _ service: AssembledService, paths: [String: String] = [:], token: @escaping TokenMaker
    ) throws {
        router = service.http
        routes = service.routes
        document = try APIDocument.of(service.openAPI)
        self.paths = paths
        self.token = token
        (gateFields, pageFields) = ([:], [:])
    }

    /// The same of the service's own routes for operators, and of the document about them.
    ///
    /// - Parameter cookie: of an open session, as it is sent.
    public init(operatorsOf service: AssembledService, paths: [String: String] = [:], cookie: String) throws {
        router = service.operators
        routes = service.actRoutes
        document = try APIDocument.of(service.operatorsOpenAPI ?? [])
        self.paths = paths
        token = { _, _ in "" }
        (gateFields, pageFields) = (["Cookie": cookie], ["TrackMe-Request": "page"])
    }

    /// What the document says and the service does not do, or the other way round, in words; empty when all is well: faults of the
    /// document itself, operations that are not served, routes that are not documented, and answers that the document does not
    /// say. Of the examples of each operation at least one has to succeed, unless the operation is among `unsuccessful`, and none
    /// may be refused as malformed.
    public func faults(unsuccessful: Set<String> = []) async throws -> [String] {
        let served = Dictionary(
            routes.filter { !$0.pattern.hasSuffix("/openapi.json") && $0.caller != .open(.page) }.map {
                (Self.name(of: $0), $0)
            },
            uniquingKeysWith: { first, _ in first })
        let documented = Set(document.operations.map(\.name))
        var faults = document.faults()
        faults += documented.subtracting(served.keys).sorted().map { "\($0) is documented and not served" }
        faults += Set(served.keys).subtracting(documented).sorted().map { "\($0) is served and not documented" }
        // What deletes comes last, the longest paths first, so that all others find something.
        let deleting = document.operations.filter { $0.method == .delete }.sorted {
            $0.path.utf8.count > $1.path.utf8.count
        }
        for operation in document.operations.filter({ $0.method != .delete }) + deleting {
            guard let route = served[operation.name] else { continue }
            faults += Self.accessFaults(operation, route)
            faults += try await shown(operation, route, unsuccessful.contains(operation.name))
            faults += try await refused(operation, route)
        }
        return faults
    }

    /// A token and a scope are asked for where the route asks for them, and nowhere else; so are the cookie of a browser's
    /// session, which is of people and companies, or of an operator's, and the proof that a change comes from our own page.
    private static func accessFaults(_ operation: APIDocument.Operation, _ route: DeclaredRoute) -> [String] {
        var access: Access?
        if case .token(let needed) = route.caller { access = needed }
        let isGated = route.caller == .gate
        let isChange = (access != nil || isGated) && !operation.method.isSafe
        let isLogIn = isGated || access?.kinds.isDisjoint(with: [.individual, .thirdParty, .organiser]) == false
        var faults: [String] = []
        for (isDocumented, isNeeded, what) in [
            (operation.needsToken, access != nil || isGated, "security"),
            (operation.names("log-in-needed"), isGated, "`log-in-needed`"),
            (operation.names("unauthorized"), access != nil, "`unauthorized`"),
            (operation.names("insufficient-scope"), access?.scope != nil, "`insufficient-scope`"),
            (operation.takesCookie, isLogIn, "the cookie"),
            (
                operation.names("cross-site-request"), isChange || operation.takesField("TrackMe-Request"),
                "`cross-site-request`"
            ),
        ] where isDocumented != isNeeded {
            faults.append("\(operation.name): \(what) is \(isNeeded ? "not documented" : "documented and not needed")")
        }
        return faults
    }

    // MARK: What the document shows

    private func shown(
        _ operation: APIDocument.Operation, _ route: DeclaredRoute, _ isUnsuccessful: Bool
    ) async throws -> [String] {
        var faults: [String] = []
        var hasSucceeded = false
        for example in try document.examples(of: operation) {
            let answer = try await send(example, route, &faults)
            if (200..<300).contains(answer.status.rawValue) { hasSucceeded = true }
            if [400, 405, 415, 422].contains(answer.status.rawValue) {
                faults.append("\(operation.name): an example is refused: \(Self.text(of: answer))")
            }
        }
        if hasSucceeded == isUnsuccessful {
            faults.append("\(operation.name): \(hasSucceeded ? "an" : "no") example succeeds")
        }
        // One that succeeds although the document forbids it is a fault of the exchange.
        for variant in try document.variants(of: operation) { _ = try await send(variant, route, &faults) }
        return faults
    }

    private func send(
        _ example: APIDocument.Example, _ route: DeclaredRoute, _ faults: inout [String]
    ) async throws -> HTTPResponse {
        var fields = example.fields
        for field in try await credentials(for: route).entries { fields[field.name] = field.value }
        let target = target(example.target, example.operation)
        let (answer, found) = try await send(example.operation, target, fields, example.body)
        let body = String(decoding: example.body.prefix(500), as: UTF8.self)
        faults += found.map { "\($0) (to \(target) \(body))" }
        return answer
    }

    /// Of somebody whom the route lets in; nothing where it looks at nobody.
    private func credentials(for route: DeclaredRoute) async throws -> HTTPFields {
        switch route.caller {
        case .token(let access):
            guard let kind = access.kinds.min(by: { "\($0)" < "\($1)" }) else { return [:] }
            return ["Authorization": "Bearer \(try await token(kind, access.scope.map { [$0.rawValue] } ?? []))"]
        case .gate: return gateFields
        case .open: return [:]
        }
    }

    private static func text(of answer: HTTPResponse) -> String {
        guard case .bytes(let bytes) = answer.body else { return "\(answer.status)" }
        return "\(answer.status) \(String(decoding: bytes.prefix(500), as: UTF8.self))"
    }

    /// With what stands for the beginning of the path.
    private func target(_ target: String, _ operation: APIDocument.Operation) -> String {
        let known = paths.filter { operation.path.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }
        guard let (template, path) = known else { return target }
        let count = template.split(separator: "/").count
        return path + target.split(separator: "/").dropFirst(count).map { "/\($0)" }.joined()
    }

    // MARK: What has to be refused

    /// Requests that no route of this kind takes. Where one takes them all the same, that is not looked at here.
    private func refused(_ operation: APIDocument.Operation, _ route: DeclaredRoute) async throws -> [String] {
        let target = target(try document.examples(of: operation).first?.target ?? operation.path, operation)
        let path = String(target.prefix { $0 != "?" })
        var requests: [(target: String, fields: HTTPFields, body: String)] = []
        if case .token(let access) = route.caller {
            requests.append((target, [:], ""))
            requests.append((target, ["Authorization": "Bearer nonsense"], ""))
            for kind in Identity.Kind.allCases where !access.kinds.contains(kind) {
                requests.append((target, ["Authorization": "Bearer \(try await token(kind, []))"], ""))
            }
        }
        if route.caller == .gate {
            for fields in [[:], gateFields, pageFields] { requests.append((target, fields, "")) }
        }
        var good = try await credentials(for: route)
        for field in pageFields.entries { good[field.name] = field.value }
        requests.append((path + "?misspelt=1", good, ""))
        if operation.path.hasSuffix("}") {
            requests.append((path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/~", good, ""))
        }
        for type in operation.bodyTypes.isEmpty ? [] : operation.bodyTypes + ["text/plain"] {
            for body in ["", "{", "[]", #"{"misspelt":1}"#] {
                var fields = good
                fields["Content-Type"] = type
                requests.append((target, fields, body))
                fields["Content-Encoding"] = "gzip"
                if !body.isEmpty { requests.append((target, fields, body)) }
            }
        }
        var faults: [String] = []
        for (target, fields, body) in requests {
            let (answer, found) = try await send(operation, target, fields, Array(body.utf8))
            if answer.status.rawValue >= 400 { faults += found.map { "\($0) (to \(target) \(body))" } }
        }
        return faults
    }

    private func send(
        _ operation: APIDocument.Operation, _ target: String, _ fields: HTTPFields, _ body: [UInt8]
    ) async throws -> (answer: HTTPResponse, faults: [String]) {
        let request = try HTTPRequest(operation.method, target, fields: fields, body: body)
        let answer = await router.handle(request)
        return (answer, document.faults(of: request, answer: answer))
    }

    /// `GET /things/:id` as the document writes it.
    private static func name(of route: DeclaredRoute) -> String {
        let path = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(":") || $0.hasPrefix("*") ? "{\($0.dropFirst())}" : String($0) }
            .joined(separator: "/")
        return "\(route.method) \(path)"
    }
}
