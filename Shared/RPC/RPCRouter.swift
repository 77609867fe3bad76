import JSON
import Reactor

/// The methods of a service, and for each the names of the clients that may call it; everybody else is refused.
public struct RPCRouter: Sendable {
    /// Decodes the parameters, runs the handler and encodes its result. Call it within the call's `RequestScope`.
    /// Errors of the handler that its caller must not see go to `report`, with whether the caller still waits.
    typealias Handler =
        @Sendable (
            RequestEnvelope, ParsedFrame, RPCContext, _ report: (_ error: any Error, _ isAwaited: Bool) -> Void
        ) async -> Result<[UInt8], RPCError>

    private struct Method: Sendable {
        let callers: Set<String>
        let handler: Handler
    }

    private var methods: [String: Method] = [:]

    public init() {}

    /// The clients that may call each method, by its name.
    public var clients: [String: Set<String>] { methods.mapValues(\.callers) }

    /// Adds a method. An error of the handler that is neither an `RPCError` nor `RPCErrorConvertible` reaches the caller as
    /// `internal`, without detail.
    ///
    /// - Precondition: the name is new and does not begin with `rpc.`.
    public mutating func register<M: RPCMethod>(
        _: M.Type, allow callers: Set<String>,
        handler: @escaping @Sendable (M.Params, RPCContext) async throws -> M.Result
    ) {
        precondition(methods[M.name] == nil, "\(M.name) is registered already")
        precondition(!M.name.hasPrefix("rpc."), "names that begin with rpc. are reserved")
        methods[M.name] = Method(callers: callers) { request, frame, context, report in
            do {
                let params = try Self.params(M.Params.self, of: request, in: frame)
                return .success(try JSONEncoder().encode(try await handler(params, context)))
            } catch {
                return .failure(Self.visible(error, context, report))
            }
        }
    }

    /// Decodes the parameters; absent ones read as `{}`.
    private static func params<Params: Decodable>(
        _: Params.Type, of request: RequestEnvelope, in frame: ParsedFrame
    ) throws(RPCError) -> Params {
        do throws(JSONError) {
            guard let params = request.params else {
                return try JSONDecoder().decode(Params.self, from: [UInt8(ascii: "{"), UInt8(ascii: "}")])
            }
            return try frame.scanner.decode(Params.self, from: params)
        } catch {
            throw RPCError(.invalidParams, error.description)
        }
    }

    /// Fails with `methodNotFound`, or `notAllowed` when this caller is not on the method's list.
    func handler(of name: String, for caller: String) throws(RPCError) -> Handler {
        guard let method = methods[name] else { throw RPCError(.methodNotFound) }
        guard method.callers.contains(caller) else {
            throw RPCError(.notAllowed, "This client may not call this method.")
        }
        return method.handler
    }

    /// The error that the caller gets for a handler's error.
    private static func visible(
        _ error: any Error, _ context: RPCContext, _ report: (any Error, Bool) -> Void
    ) -> RPCError {
        if let error = error as? RPCError ?? (error as? any RPCErrorConvertible)?.rpcError { return error }
        // Any error after the deadline counts as `deadline`.
        if context.deadline.hasPassed { return RPCError(.deadline) }
        // The peer is gone, gave the call up, or the server stops: whatever the handler made of that is no fault of its own.
        guard !Task.isCancelled else {
            report(error, false)
            return RPCError(.cancelled)
        }
        report(error, true)
        return RPCError(.internal)
    }
}
