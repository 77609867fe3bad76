import JSON
public import Reactor
public import Telemetry

/// Calls the methods of a router in the same process, through the same encoding, decoding, allow-lists and deadlines as
/// over the network; for tests. Only cancellation at the deadline is missing.
public struct LocalCaller: RPCCaller {
    private let router: RPCRouter
    private let name: String
    private let deadlines: DeadlinePolicy
    private let metrics: RPCServerMetrics

    /// Calls as the client `name`.
    public init(
        router: RPCRouter, as name: String, deadlines: DeadlinePolicy = DeadlinePolicy(),
        observer: Observer = .silent
    ) {
        self.router = router
        self.name = name
        self.deadlines = deadlines
        metrics = RPCServerMetrics(observer)
    }

    public func call<M: RPCMethod>(
        _: M.Type, _ params: M.Params, deadline: Deadline?
    ) async throws(RPCError) -> M.Result {
        let call = try OutgoingCall(M.self, params, deadline: deadline, default: deadlines.budgetDefault)
        var line: [UInt8] = []
        call.write(id: 1, at: .now(), to: &line)
        let answer = await answer(line)
        line = []
        ResponseEnvelope.write(id: .integer(1), answer, bytesMax: .max, to: &line)
        return try Self.result(M.self, line)
    }

    /// The answer to a request as it is on the wire: the result, as JSON.
    public func answer(_ line: [UInt8]) async -> Result<[UInt8], RPCError> {
        do {
            let frame = try ParsedFrame(line, limits: JSONLimits())
            let request = try RequestEnvelope(frame.scanner.root, in: frame)
            let handler = try router.handler(of: request.method, for: name)
            let context = RPCContext(
                caller: name, deadline: .after(try deadlines.budget(ofCaller: request.deadlineMilliseconds)),
                trace: metrics.begin(request.trace), connection: 0)
            return await RequestScope.$current.withValue(context.scope) {
                await handler(request, frame, context) { error, isAwaited in
                    metrics.handlerFailed(request.method, for: name, context.trace, error, isAwaited: isAwaited)
                }
            }
        } catch let error as RPCError {
            return .failure(error)
        } catch {
            return .failure(RPCError(.invalidRequest, "\(error)"))
        }
    }

    private static func result<M: RPCMethod>(_: M.Type, _ line: [UInt8]) throws(RPCError) -> M.Result {
        do {
            let frame = try ParsedFrame(line, limits: JSONLimits())
            switch try ResponseEnvelope(frame) {
            case .result(_, let value): return try frame.scanner.decode(M.Result.self, from: value)
            case .error(_, let error): throw error
            case .connectionError, .goodbye, .unknownNotification: throw RPCError(.internal)
            }
        } catch let error as RPCError {
            throw error
        } catch {
            throw RPCError(.internal, "The answer of \(M.name) does not have the agreed form.")
        }
    }
}
