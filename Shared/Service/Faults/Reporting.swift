import JSON
public import Postgres
public import Primitives

/// Runs `body`, which concerns one row `id`; its failure is logged and gives `nil`, so that the others are served.
/// Errors: those of the database itself, which concern everybody and pass.
public func reporting<Value>(
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
public func reporting<Value>(
    _ what: StaticString, of id: UUID, to log: Log, _ body: () throws -> Value
) -> Value? {
    do { return try body() } catch {
        log.error(what, ["id": .string(id.description), "error": Log.text(of: error)])
        return nil
    }
}

extension PostgresError {
    /// What the server reports about one statement's values, and values that cannot be decoded: their fault, not the database's.
    public var isOfOneRow: Bool {
        switch self {
        case .decoding, .usage: true
        case .server(let failure): ["22", "23"].contains(failure.sqlState.errorClass)
        default: false
        }
    }
}
