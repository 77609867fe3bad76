public import Primitives

/// Where an encrypted value stands: it can be decrypted only there, so that nobody with write access to the database
/// moves one person's values to another, or to another column.
public struct FieldLocation: Sendable, Equatable {
    /// The column's name, a zero byte, and the row: no two places give the same bytes.
    let associatedData: [UInt8]

    /// - Parameters:
    ///   - column: `schema.table.column`, without zero bytes.
    ///   - row: what identifies the row, in any form that never changes.
    public init(_ column: String, row: [UInt8]) {
        var data: [UInt8] = []
        data.reserveCapacity(column.utf8.count + 1 + row.count)
        data.append(contentsOf: column.utf8)
        data.append(0)
        data.append(contentsOf: row)
        associatedData = data
    }

    public init(_ column: String, row: UUID) {
        self.init(column, row: row.bytes)
    }
}
