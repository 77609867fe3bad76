import RPC
import Reactor
import Synchronization

/// Calls a neighbour, counts the calls, and keeps the outcome of the last one.
final class MeteredCaller: RPCCaller {
    private let service: String
    private let caller: Mutex<any RPCCaller>
    private let metrics: CallMetrics
    /// 0 before the first call, 1 when the neighbour answered last time, 2 when it could not be reached.
    private let state = Atomic<UInt8>(0)

    init(_ caller: any RPCCaller, service: String, metrics: CallMetrics) {
        self.caller = Mutex(caller)
        self.service = service
        self.metrics = metrics
    }

    var status: Peers.Status {
        switch state.load(ordering: .relaxed) {
        case 0: .unknown
        case 1: .ok
        default: .unreachable
        }
    }

    /// Calls go there from now on.
    func replace(with new: any RPCCaller) { caller.withLock { $0 = new } }

    func call<M: RPCMethod>(
        _ method: M.Type, _ params: M.Params, deadline: Deadline?
    ) async throws(RPCError) -> M.Result {
        let began = Deadline.now()
        do throws(RPCError) {
            let result = try await caller.withLock { $0 }.call(method, params, deadline: deadline)
            ended(M.name, nil, began)
            return result
        } catch {
            ended(M.name, error.code, began)
            throw error
        }
    }

    private func ended(_ method: String, _ code: RPCError.Code?, _ began: Deadline) {
        metrics.record(service: service, method: method, code: code, duration: Deadline.now().since(began))
        switch code {
        // These tell nothing about the neighbour.
        case .cancelled, .deadline: break
        case .unavailable: state.store(2, ordering: .relaxed)
        default: state.store(1, ordering: .relaxed)
        }
    }
}
