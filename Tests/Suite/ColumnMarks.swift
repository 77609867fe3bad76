import Contracts
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting

/// What stands in the columns of the services' tables, as `columns.txt` beside their migrations mark it (NFR-05, ACC-12).
struct ColumnMarks {
    enum Mark: String {
        case sealed
        case personKey = "person-key"
        case readable, pseudonymous, tombstone, neither
    }

    struct Column: Hashable, CustomStringConvertible {
        let table: String
        let name: String
        var description: String { "\(table).\(name)" }
    }

    let marks: [Column: Mark]
    /// In which file of what people download a column is; `nil`: in none.
    let exports: [Column: String?]
    /// Tables that several services may have, and not each has.
    let shared: Set<String>
    static let checkout = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    private static let sharedFile = "Shared/columns.txt"
    /// The tables of feeds' events.
    private static let segment = "feed_segment"

    /// The files of a service's schemas; a schema without one has shared tables only.
    private static func files(of service: ServiceName) -> [String: String?] {
        switch service {
        case .accounts: ["accounts": "Services/Accounts/columns.txt", "accounts_keys": nil]
        case .ingestion:
            ["ingestion": "Services/Ingestion/columns.txt", "keys": "Services/Ingestion/keys-columns.txt"]
        case .query:
            [
                "query": "Services/Query/columns.txt", "statistics": "Services/Query/Statistics/columns.txt",
                "query_keys": nil,
            ]
        case .dispatcher: ["dispatcher": "Services/Dispatcher/columns.txt", "dispatcher_keys": nil]
        case .track4run: ["track4run": "Services/Track4Run/columns.txt", "track4run_keys": nil]
        }
    }

    /// By schema, as `RunningSuite` names them.
    static func all() throws -> [String: ColumnMarks] {
        var all: [String: ColumnMarks] = [:]
        for service in ServiceName.allCases {
            for (schema, file) in files(of: service) { all[schema] = try ColumnMarks(file) }
            all[AuditTables.schema(beside: service.rawValue)] = try ColumnMarks(nil)
        }
        return all
    }

    /// Of a service's file, and of the tables that several have; its own word on one of these holds.
    private init(_ file: String?) throws {
        let (own, exports) = try file.map { try Self.read($0) } ?? ([:], [:])
        let (others, _) = try Self.read(Self.sharedFile)
        self.exports = exports
        let tables = Set(own.keys.map(\.table))
        marks = others.filter { !tables.contains($0.key.table) }.merging(own) { $1 }
        shared = Set(others.keys.map(\.table)).subtracting(tables)
    }

    private static func read(_ file: String) throws -> (marks: [Column: Mark], exports: [Column: String?]) {
        var marks: [Column: Mark] = [:]
        var exports: [Column: String?] = [:]
        var table = ""
        let text = String(decoding: try SmallFile.read("\(checkout)/\(file)", bytesMax: 65_536), as: UTF8.self)
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
            guard line.hasPrefix(" ") else {
                table = line
                continue
            }
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "export" || words[0] == "no-export" {
                let file = words[0] == "export" ? words[1] : nil
                for name in words.dropFirst(file == nil ? 1 : 2) {
                    exports[Column(table: table, name: name)] = .some(file)
                }
                continue
            }
            guard let mark = Mark(rawValue: words[0]) else { throw ProcessFailure("\(file): no mark: \(line)") }
            for name in words.dropFirst() {
                guard marks.updateValue(mark, forKey: Column(table: table, name: name)) == nil else {
                    throw ProcessFailure("\(file): \(table).\(name) is marked twice")
                }
            }
        }
        return (marks, exports)
    }

    /// The columns of the tables of a schema, with their types; those of partitions are their table's, and the tables of feeds'
    /// events are as one.
    static func columns(of schema: String, in database: Database) async throws -> [Column: String] {
        let all = try await database.query(
            """
            select c.relname::text, a.attname::text, format_type(a.atttypid, null)
            from pg_class c join pg_attribute a on a.attrelid = c.oid
            where c.relnamespace = \(schema)::text::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and a.attnum > 0 and not a.attisdropped
            """, as: String.self, String.self, String.self)
        return Dictionary(
            all.map { table, name, type in
                let isSegment = table.hasPrefix("feed_") && table.last?.isNumber == true
                return (Column(table: isSegment ? segment : table, name: name), type)
            }
        ) { first, _ in first }
    }

    /// The columns with ids in which somebody who was erased is not to be found.
    func emptied(of columns: [Column: String]) -> [Column] {
        columns.keys.filter { columns[$0] == "uuid" && marks[$0] != .tombstone }.sorted { "\($0)" < "\($1)" }
    }
}
