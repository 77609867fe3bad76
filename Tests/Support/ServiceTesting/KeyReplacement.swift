public import Postgres
import Primitives
import Security
public import Service
import Synchronization

/// Replaces the key of a service's personal fields as operators do (`deploy/README.md`): a new key beside the old one, then
/// `keys rotate`, then the old one away.
public struct KeyReplacement: Sendable {
    public enum Key: String, Sendable {
        case old = "old-key"
        case new = "new-key"
    }

    /// For the service; with the old key alone at first.
    public let keys: ServiceKeys
    private let old = SecretKey.random()
    private let new = SecretKey.random()

    public init() throws {
        keys = ServiceKeys(
            fields: FieldKeys(try KeyRing([Key.old.rawValue: old], current: Key.old.rawValue)), blindIndex: .random())
    }

    /// The service knows both from now on, and seals with the new one.
    public func begin() throws {
        keys.fields.replace(
            with: try KeyRing([Key.old.rawValue: old, Key.new.rawValue: new], current: Key.new.rawValue))
    }

    /// `trackme-NAME keys rotate`. What it says.
    @discardableResult
    public func rotate(_ sealed: [SealedDatabase]) async throws -> [String] {
        let lines = Mutex<[String]>([])
        try await KeyCommand.run(["rotate"], sealed, keys: keys) { line in lines.withLock { $0.append(line) } }
        return lines.withLock { $0 }
    }

    /// The service knows the new one only from now on.
    public func end() throws {
        keys.fields.replace(with: try KeyRing([Key.new.rawValue: new], current: Key.new.rawValue))
    }

    /// The columns of these databases' schemas that hold a value sealed with `key`, as `table.column`, whoever listed them.
    public func columns(sealedWith key: Key, in databases: [Database]) async throws -> Set<String> {
        let header = FieldCipher(try KeyRing([key.rawValue: .random()], current: key.rawValue)).currentHeader
        var found: Set<String> = []
        for database in databases {
            let columns = try await database.query(
                """
                select table_name::text, column_name::text from information_schema.columns
                where table_schema = current_schema() and data_type = 'bytea'
                """, as: String.self, String.self)
            for (table, column) in columns {
                let holds = try await database.queryOne(
                    """
                    select exists (select from \(identifier: table)
                      where substring(\(identifier: column) from 1 for \(Int32(header.count))) = \(header))
                    """, as: Bool.self)
                if holds == true { found.insert("\(table).\(column)") }
            }
        }
        return found
    }

    // MARK: Parked events

    private static let parked = UUID(high: 1, low: 1)

    private static func location(_ service: String) -> FieldLocation {
        FieldLocation("\(service).feed_parked.payload", row: parked)
    }

    /// Parks an event, sealed as the service's consumers do it.
    public func park(in database: Database, of service: String) async throws {
        let payload = FieldCipher(keys.fields).seal("parked", at: Self.location(service))
        try await database.execute(
            """
            insert into feed_parked
              (feed, epoch, lane, position, entity, version, kind, payload, recorded_at, age_ms, error, next_at)
            values ('test', 'epoch', 0, 1, \(Self.parked), 1, 'test', \(payload), now(), 0, '', now())
            """)
    }

    /// Whether it can still be read.
    public func opensParked(in database: Database, of service: String) async throws -> Bool {
        let payload = try await database.queryOne(
            "select payload from feed_parked where feed = 'test'", as: [UInt8].self)
        return try payload.map { try FieldCipher(keys.fields).openText($0, at: Self.location(service)) } == "parked"
    }
}
