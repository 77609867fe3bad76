public import JSON
import Postgres

extension Log {
    /// The field for an error: all that is known of it but for what may hold values of rows.
    public static func text(of error: any Error) -> JSONValue {
        switch error {
        case let error as PostgresError: .string(error.logDescription)
        case let error as TransactionError: text(of: error.underlying)
        case let error as MigrationError: .string(error.description)
        default: .string(String(reflecting: error))
        }
    }
}
