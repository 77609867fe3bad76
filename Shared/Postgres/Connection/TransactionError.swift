public import Telemetry

/// A transaction failed: where, and why.
public struct TransactionError: Error, CustomStringConvertible, CustomDebugStringConvertible {
    public enum Stage: Sendable, Equatable {
        /// No connection could be had, or the transaction could not be opened: nothing was done.
        case begin
        /// The body threw; the transaction is rolled back.
        case body
        /// The commit failed. Nothing took effect unless `underlying` is `PostgresError.outcomeUnknown`.
        case commit
    }

    public let stage: Stage
    /// What was thrown: the body's own error, or a `PostgresError`.
    public let underlying: any Error
    /// When the rollback after the body's error failed as well; the connection is then closed, which has the same effect.
    public let rollback: PostgresError?

    init(_ stage: Stage, _ underlying: any Error, rollback: PostgresError? = nil) {
        self.stage = stage
        self.underlying = underlying
        self.rollback = rollback
    }

    /// The database's error, where it is one.
    public var postgres: PostgresError? { underlying as? PostgresError }

    public var description: String {
        postgres.map { "transaction failed (\(stage)): \($0)" } ?? "transaction failed (\(stage))"
    }

    public var debugDescription: String {
        let more = rollback.map { "; rollback: \($0.debugDescription)" } ?? ""
        return "transaction failed (\(stage)): \(String(reflecting: underlying))\(more)"
    }
}

extension TransactionError: LogDescribing {
    public var logDescription: String {
        (underlying as? any LogDescribing)?.logDescription ?? String(reflecting: underlying)
    }
}
