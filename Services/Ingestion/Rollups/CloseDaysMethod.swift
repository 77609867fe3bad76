import Contracts
import Primitives
import RPC

/// `ingestion.close_days`, for operators and simulations.
struct CloseDaysMethod: Sendable {
    let closer: RollupCloser
    let clock: any WallClock

    func register(in router: inout RPCRouter) {
        router.register(Ingestion.CloseDays.self, allow: ["simulator", "operator"]) { params, _ in
            guard params.through < clock.now().dateUTC else {
                throw RPCError(.invalidParams, "A day that is not over (UTC) cannot be closed.")
            }
            return Ingestion.CloseDays.Result(rollups: try await closer.close(through: params.through))
        }
    }
}
