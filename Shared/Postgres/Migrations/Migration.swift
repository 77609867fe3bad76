public import Telemetry

/// One numbered step of a schema's history.
public struct Migration: Sendable {
    /// From 1, without gaps.
    public let number: Int
    public let name: String
    /// One or more statements, in UTF-8, without `BEGIN` or `COMMIT`: each migration is a transaction.
    public let sql: [UInt8]

    public init(_ number: Int, _ name: String, _ sql: [UInt8]) {
        self.number = number
        self.name = name
        self.sql = sql
    }
}

/// Why a schema is not, or cannot be brought, as the program needs it.
public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The numbers are not 1, 2, 3, …
    case numbering
    case noSchema(String)
    /// The database was migrated by a newer program.
    case tooNew(schema: String, found: Int, known: Int)
    /// An applied migration is not the one the program has under this number.
    case changed(Int, String)
    /// Not applied yet (from `check`).
    case pending([Int])
    /// Another process was still migrating when the time was over.
    case locked
    /// This migration failed; nothing of it took effect.
    case failed(Int, String, PostgresError)
    case database(PostgresError)

    public var description: String {
        switch self {
        case .numbering: "migrations must be numbered 1, 2, 3, … without gaps"
        case .noSchema(let schema): "the database has no schema \"\(schema)\""
        case .tooNew(let schema, let found, let known):
            "the schema \"\(schema)\" is at version \(found), but this program knows only versions up to \(known): "
                + "start a newer program, or restore an older backup"
        case .changed(let number, let name):
            "migration \(number) (\(name)) was applied in another form: applied migrations must never be changed"
        case .pending(let numbers):
            "migrations not applied yet: \(numbers.map { String($0) }.joined(separator: ", ")); run `migrate`"
        case .locked: "another process is migrating this schema and did not finish in time"
        case .failed(let number, let name, let error): "migration \(number) (\(name)) failed: \(error.debugDescription)"
        case .database(let error): "migrations: \(error.debugDescription)"
        }
    }
}

extension MigrationError: LogDescribing {
    public var logDescription: String { description }
}
