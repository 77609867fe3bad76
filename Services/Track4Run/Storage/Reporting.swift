import JSON
import Postgres
import Primitives
import Service

/// Does `body`; what cannot be read or done for one run or runner is reported, and does not keep the others from
/// being served. `nil` then. Errors: those of the database itself, which concern everybody and pass.
func reporting<Value>(
    _ what: StaticString, of id: UUID, to log: Log, _ body: () async throws -> Value
) async throws -> Value? {
    do {
        return try await body()
    } catch let error as PostgresError where !error.isOfOneRow {
        throw error
    } catch is CancellationError {
        throw CancellationError()
    } catch {
        log.error(what, ["id": .string(id.description), "error": Log.text(of: error)])
        return nil
    }
}

/// The same without waiting.
func reporting<Value>(
    _ what: StaticString, of id: UUID, to log: Log, _ body: () throws -> Value
) -> Value? {
    do { return try body() } catch {
        log.error(what, ["id": .string(id.description), "error": Log.text(of: error)])
        return nil
    }
}

extension PostgresError {
    /// What the server says of one statement's values, and what cannot be decoded.
    fileprivate var isOfOneRow: Bool {
        switch self {
        case .decoding, .usage: true
        case .server(let failure): ["22", "23"].contains(failure.sqlState.errorClass)
        default: false
        }
    }
}
