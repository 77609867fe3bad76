public import Reactor

/// Where statements can be run: a `Database`, a `Connection` or a `Transaction`. All have the same calls.
public protocol SQLSession {
    /// Runs one statement. The deadline is the configured query time when none is given.
    func run(_ sql: SQL, deadline: Deadline?) async throws(PostgresError) -> ResultSet

    /// Runs the statements in one round trip and, outside a transaction, as one transaction of their own: all of them take
    /// effect or none. At most `Connection.batchMax`.
    func runBatch(_ statements: [SQL], deadline: Deadline?) async throws(PostgresError) -> [ResultSet]
}

extension SQLSession {
    /// The rows of a statement as tuples, for a few columns (more are read by name, see `PostgresRow`):
    /// `for (id, name) in try await session.query("select id, name from account", as: UUID.self, String?.self)`.
    public func query<each T: PostgresDecodable>(
        _ sql: SQL, as types: repeat (each T).Type, deadline: Deadline? = nil
    ) async throws(PostgresError) -> [(repeat each T)] {
        let result = try await run(sql, deadline: deadline)
        return try result.decode(as: repeat each types)
    }

    /// The values of a statement that has one column.
    public func query<T: PostgresDecodable>(
        _ sql: SQL, as type: T.Type, deadline: Deadline? = nil
    ) async throws(PostgresError) -> [T] {
        try await run(sql, deadline: deadline).decode(as: type)
    }

    /// The only value of a statement that has one column, `nil` when there is no row; more than one row is an error. (Of an
    /// optional type, the answer for a row with NULL is `.some(nil)`.)
    public func queryOne<T: PostgresDecodable>(
        _ sql: SQL, as type: T.Type, deadline: Deadline? = nil
    ) async throws(PostgresError) -> T? {
        try await run(sql, deadline: deadline).decodeOne(as: type)
    }

    /// The only row of a statement, `nil` when there is none; more than one is an error.
    public func queryOne<each T: PostgresDecodable>(
        _ sql: SQL, as types: repeat (each T).Type, deadline: Deadline? = nil
    ) async throws(PostgresError) -> (repeat each T)? {
        let result = try await run(sql, deadline: deadline)
        return try result.decodeOne(as: repeat each types)
    }

    /// How many rows the statement touched.
    @discardableResult
    public func execute(_ sql: SQL, deadline: Deadline? = nil) async throws(PostgresError) -> Int {
        try await run(sql, deadline: deadline).affectedCount
    }

    /// How many rows each of the statements touched; see `runBatch`.
    @discardableResult
    public func batch(_ statements: [SQL], deadline: Deadline? = nil) async throws(PostgresError) -> [Int] {
        try await runBatch(statements, deadline: deadline).map(\.affectedCount)
    }
}
