public import Reactor

/// One row of a result, read by the names of its columns:
///
/// ```swift
/// let people = try await database.query("select id, name from account") { row throws(PostgresError) in
///     Person(id: try row["id"], name: try row["name"])
/// }
/// ```
///
/// A name is looked up once per result and place in the program. Belongs to the task that reads the result.
public struct PostgresRow {
    let columns: PostgresRows.Columns
    let number: Int32

    /// The value of a column. Errors (`decoding`) name the column: there is none of this name or several, the value is
    /// NULL or of another type.
    public subscript<Value: PostgresDecodable>(name: StaticString) -> Value {
        get throws(PostgresError) { try decode(name) }
    }

    /// As the subscript, where the type has to be named.
    @inline(__always)
    public func decode<Value: PostgresDecodable>(
        _ name: StaticString, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        try columns.result.decodeCell(number, try columns.index(of: name, row: number), as: type)
    }
}

/// The rows of a result, read by the names of their columns.
public struct PostgresRows: RandomAccessCollection {
    let columns: Columns

    init(_ result: ResultSet) {
        columns = Columns(result)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { columns.result.count }
    public subscript(position: Int) -> PostgresRow {
        precondition(indices.contains(position), "a row beyond the result")
        return PostgresRow(columns: columns, number: Int32(truncatingIfNeeded: position))
    }

    /// Which column has which name. Rows are mostly read in the same order of columns: the place after the last hit is
    /// tried first, and a name in the program's text is known again by its address.
    final class Columns {
        let result: ResultSet
        private var known: [(name: UnsafePointer<UInt8>, column: Int32)] = []
        private var next = 0

        init(_ result: ResultSet) {
            self.result = result
        }

        func index(of name: StaticString, row: Int32) throws(PostgresError) -> Int32 {
            let address = name.utf8Start
            if next < known.count, known[next].name == address {
                defer { next = next + 1 == known.count ? 0 : next + 1 }
                return known[next].column
            }
            for index in known.indices where known[index].name == address {
                next = index + 1 == known.count ? 0 : index + 1
                return known[index].column
            }
            let column = try find(name, row: row)
            known.append((address, column))
            next = 0
            return column
        }

        private func find(_ name: StaticString, row: Int32) throws(PostgresError) -> Int32 {
            let name = name.description
            var found: Int32?
            for column in 0..<Int32(clamping: result.columnCount) where result.columnName(Int(column)) == name {
                guard found == nil else { throw result.error(.ambiguousColumn, column: name, row: row) }
                found = column
            }
            guard let found else { throw result.error(.noColumn, column: name, row: row) }
            return found
        }
    }
}

/// A value that is made of one row.
public protocol PostgresRowDecodable {
    init(row: PostgresRow) throws(PostgresError)
}

extension ResultSet {
    /// The rows, to be read by the names of the columns.
    public var rows: PostgresRows { PostgresRows(self) }

    /// The only row; `nil` when there is none. More than one is an error.
    public func onlyRow() throws(PostgresError) -> PostgresRow? {
        guard count <= 1 else { throw error(.rows(count)) }
        return rows.first
    }
}

extension SQLSession {
    /// The rows of a statement, to be read by the names of the columns.
    public func rows(_ sql: SQL, deadline: Deadline? = nil) async throws(PostgresError) -> PostgresRows {
        try await run(sql, deadline: deadline).rows
    }

    /// What `value` makes of each row of a statement.
    public func query<Value>(
        _ sql: SQL, deadline: Deadline? = nil, _ value: (PostgresRow) throws(PostgresError) -> Value
    ) async throws(PostgresError) -> [Value] {
        let rows = try await run(sql, deadline: deadline).rows
        return try rows.map(value)
    }

    /// What `value` makes of the only row of a statement; `nil` when there is none, and more than one is an error.
    public func queryOne<Value>(
        _ sql: SQL, deadline: Deadline? = nil, _ value: (PostgresRow) throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value? {
        guard let row = try await run(sql, deadline: deadline).onlyRow() else { return nil }
        return try value(row)
    }

    /// The rows of a statement as values.
    public func query<Value: PostgresRowDecodable>(
        _ sql: SQL, as _: Value.Type, deadline: Deadline? = nil
    ) async throws(PostgresError) -> [Value] {
        try await query(sql, deadline: deadline) { row throws(PostgresError) in try Value(row: row) }
    }

    /// The only row of a statement as a value; `nil` when there is none, and more than one is an error.
    public func queryOne<Value: PostgresRowDecodable>(
        _ sql: SQL, as _: Value.Type, deadline: Deadline? = nil
    ) async throws(PostgresError) -> Value? {
        try await queryOne(sql, deadline: deadline) { row throws(PostgresError) in try Value(row: row) }
    }
}
