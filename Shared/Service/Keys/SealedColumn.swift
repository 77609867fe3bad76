public import Postgres

/// A column of values that `FieldCipher` has sealed, and how to say where each of them stands.
public struct SealedColumn: Sendable {
    let table: String
    let column: String
    /// The first part of the values' `FieldLocation`.
    let location: String
    /// SQL that gives the row's bytes in the `FieldLocation`.
    let row: String

    /// - Parameters:
    ///   - location: `schema.table.column`, as it is sealed with.
    ///   - row: SQL of the row's bytes; trusted text.
    public init(_ table: String, _ column: String, location: String, row: String = "uuid_send(id)") {
        self.table = table
        self.column = column
        self.location = location
        self.row = row
    }

    /// Of `NoticeOutbox`.
    public static func notices(of service: String) -> SealedColumn {
        SealedColumn("notice", "content", location: NoticeOutbox.location(of: service))
    }

    /// Of `ServiceContext.consumer`.
    public static func parkedEvents(of service: String) -> SealedColumn {
        SealedColumn("feed_parked", "payload", location: "\(service).feed_parked.payload", row: "uuid_send(entity)")
    }
}

/// The sealed columns of one database.
public struct SealedDatabase: Sendable {
    let database: Database
    let columns: [SealedColumn]

    public init(_ columns: [SealedColumn], in database: Database) {
        self.database = database
        self.columns = columns
    }
}
