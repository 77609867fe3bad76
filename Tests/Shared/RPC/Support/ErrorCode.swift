import RPC

/// The code that `body` fails with; `nil` when it succeeds or fails otherwise.
func code(_ body: () async throws -> Void) async -> RPCError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? RPCError)?.code
    }
}
