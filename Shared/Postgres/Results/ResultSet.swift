internal import CLibPQ

/// What a statement answered: rows in binary format, and how many rows it touched.
///
/// Sendable without the compiler's proof: libpq never changes a result after handing it out, and it is freed once, by the
/// last owner.
public final class ResultSet: @unchecked Sendable {
    private let result: OpaquePointer
    /// The number of rows returned.
    public let count: Int
    public let columnCount: Int

    /// Takes the result over.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
    }

    deinit {
        PQclear(result)
    }

    /// Rows inserted, updated, deleted, selected or copied; 0 for other commands.
    public var affectedCount: Int {
        guard let text = PQcmdTuples(result), text.pointee != 0 else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// The command's tag, such as `INSERT 0 1` or `ROLLBACK`.
    public var commandTag: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

    public func columnName(_ column: Int) -> String {
        PQfname(result, Int32(clamping: column)).map { String(cString: $0) } ?? ""
    }

    /// All rows as tuples, one type per column, in the order of the columns. For a few columns; more are read by name
    /// (`rows`).
    public func decode<each T: PostgresDecodable>(
        as types: repeat (each T).Type
    ) throws(PostgresError) -> [(repeat each T)] {
        try requireColumns(repeat each types)
        var rows: [(repeat each T)] = []
        rows.reserveCapacity(count)
        for row in 0..<count {
            rows.append(try decodeRow(row, as: repeat each types))
        }
        return rows
    }

    /// The only row; `nil` when there is none. More than one is an error.
    public func decodeOne<each T: PostgresDecodable>(
        as types: repeat (each T).Type
    ) throws(PostgresError) -> (repeat each T)? {
        guard count <= 1 else { throw error(.rows(count)) }
        return try decode(as: repeat each types).first
    }

    /// The values of the only column.
    public func decode<T: PostgresDecodable>(as type: T.Type) throws(PostgresError) -> [T] {
        guard columnCount == 1 else { throw error(.columns(columnCount)) }
        var values: [T] = []
        values.reserveCapacity(count)
        for row in 0..<count {
            values.append(try decodeCell(Int32(truncatingIfNeeded: row), 0, as: type))
        }
        return values
    }

    /// The only value of the only column; `nil` when there is no row. More than one row is an error.
    public func decodeOne<T: PostgresDecodable>(as type: T.Type) throws(PostgresError) -> T? {
        guard columnCount == 1 else { throw error(.columns(columnCount)) }
        guard count <= 1 else { throw error(.rows(count)) }
        return count == 0 ? nil : try decodeCell(0, 0, as: type)
    }

    private func requireColumns<each T>(_ types: repeat (each T).Type) throws(PostgresError) {
        var expected = 0
        for _ in repeat each types { expected += 1 }
        guard columnCount == expected else { throw error(.columns(columnCount)) }
    }

    private func decodeRow<each T: PostgresDecodable>(
        _ row: Int, as types: repeat (each T).Type
    ) throws(PostgresError) -> (repeat each T) {
        var column: Int32 = -1
        return (repeat try decodeNext(Int32(truncatingIfNeeded: row), &column, as: each types))
    }

    private func decodeNext<T: PostgresDecodable>(
        _ row: Int32, _ column: inout Int32, as type: T.Type
    ) throws(PostgresError) -> T {
        column += 1
        return try decodeCell(row, column, as: type)
    }

    /// The value in a column of a row.
    func decodeCell<T: PostgresDecodable>(_ row: Int32, _ column: Int32, as _: T.Type) throws(PostgresError) -> T {
        do {
            if PQgetisnull(result, row, column) != 0 { return try T.fromPostgresNull() }
            let bytes = UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
            return try T(postgres: PostgresCell(type: PostgresType(oid: PQftype(result, column)), bytes: bytes))
        } catch {
            throw self.error(error, column: columnName(Int(column)), row: row)
        }
    }

    func error(_ reason: PostgresDecodingError.Reason, column: String = "", row: Int32 = 0) -> PostgresError {
        .decoding(PostgresDecodingError(reason: reason, column: column, row: Int(row)))
    }
}
