import Postgres
import Reactor
import Security

/// Seals the values of a service anew with the current key of its ring, so that older keys can be removed.
///
/// It reads each table block by block and reseals values that are not sealed with the current key. So it needs no index
/// and stores no progress: after an interruption it starts again and passes over what is done. A value is replaced only
/// if it is still the one that was read, so replicas may write meanwhile. What they write with an older key, or move to
/// a block that was read before, the next pass through all columns finds; a pass that finds nothing is the last one.
/// Between two steps it pauses for as long as a step takes, and so uses half of one connection at most.
struct KeyRotation: Sendable {
    /// 8 KiB each.
    static let blocksPerStep = 128
    static let valuesPerStep = 100
    static let passesMax = 20

    struct Outcome: Sendable, Equatable {
        var resealed = 0
        /// Values whose key is not in the ring, or that are damaged.
        var unreadable = 0
    }

    let cipher: FieldCipher
    /// Between two passes: replicas may just be reading their keys again.
    var pause = Duration.seconds(1)
    /// Reports the progress, one line at a time.
    let say: @Sendable (String) -> Void

    /// Throws when the values change faster than they are sealed anew.
    func run(_ sealed: [SealedDatabase]) async throws -> Outcome {
        var outcome = Outcome()
        var found: [String] = []
        for pass in 1...Self.passesMax {
            found = []
            outcome.unreadable = 0
            for group in sealed {
                for column in group.columns {
                    let one = try await go(through: column, in: group.database)
                    if one.resealed > 0 { found.append(column.location) }
                    say(
                        "\(column.location), pass \(pass): \(one.resealed) sealed anew, \(one.unreadable) cannot be opened"
                    )
                    outcome.resealed += one.resealed
                    outcome.unreadable += one.unreadable
                }
            }
            guard !found.isEmpty else { return outcome }
            try await EventLoop.current?.sleep(for: pause)
        }
        throw KeyRotationError(
            "Replicas go on sealing with another key than \(cipher.currentIdentifier) (\(found.joined(separator: ", "))). "
                + "Let all of them read their keys again (SIGHUP), then rotate again.")
    }

    private func go(through column: SealedColumn, in database: Database) async throws -> Outcome {
        var outcome = Outcome()
        for table in try await Self.parts(of: column, in: database) {
            try await go(through: table, column, in: database, &outcome)
        }
        return outcome
    }

    /// The table itself, or the parts of a partitioned one.
    private static func parts(of column: SealedColumn, in database: Database) async throws(PostgresError) -> [String] {
        try await database.query(
            """
            select oid::regclass::text from pg_class where oid = \(column.table)::text::regclass and relkind = 'r'
            union all
            select relid::text from pg_partition_tree(\(column.table)::text::regclass) where isleaf and level > 0
            """, as: String.self)
    }

    private func go(
        through table: String, _ column: SealedColumn, in database: Database, _ outcome: inout Outcome
    ) async throws {
        let blocks = try await database.queryOne(
            "select pg_relation_size(\(table)::text::regclass) / current_setting('block_size')::bigint", as: Int64.self)
        var block: Int64 = 0
        while block < blocks ?? 0 {
            var last = "(\(block),0)"
            let end = "(\(block + Int64(Self.blocksPerStep)),0)"
            var count = Self.valuesPerStep
            while count == Self.valuesPerStep {
                let begin = Deadline.now()
                let values = try await read(table, column, after: last, before: end, in: database)
                count = values.count
                if let place = values.last?.place { last = place }
                let (replaced, unreadable) = try await replace(values, table, column, in: database)
                outcome.resealed += replaced
                outcome.unreadable += unreadable
                try await EventLoop.current?.sleep(for: Deadline.now().since(begin))
            }
            block += Int64(Self.blocksPerStep)
        }
    }

    private struct Value: Sendable {
        /// The row's place in the table (`ctid`).
        let place: String
        let row: [UInt8]
        let sealed: [UInt8]
    }

    /// Values of some blocks that are not sealed with the current key.
    private func read(
        _ table: String, _ column: SealedColumn, after last: String, before end: String, in database: Database
    ) async throws(PostgresError) -> [Value] {
        let header = cipher.currentHeader
        return try await database.query(
            """
            select ctid::text as place, \(raw: column.row), \(identifier: column.column) from \(raw: table)
            where ctid > \(last)::text::tid and ctid < \(end)::text::tid
              and octet_length(\(identifier: column.column)) > 0
              and substring(\(identifier: column.column) from 1 for \(Int32(header.count))) <> \(header)
            order by ctid limit \(Int64(Self.valuesPerStep))
            """, as: String.self, [UInt8].self, [UInt8].self
        ).map { Value(place: $0.0, row: $0.1, sealed: $0.2) }
    }

    private func replace(
        _ values: [Value], _ table: String, _ column: SealedColumn, in database: Database
    ) async throws -> (replaced: Int, unreadable: Int) {
        var unreadable = 0
        var (places, before, after): ([String], [[UInt8]], [[UInt8]]) = ([], [], [])
        for value in values {
            do throws(SecurityError) {
                let location = FieldLocation(column.location, row: value.row)
                guard let resealed = try cipher.resealed(value.sealed, at: location) else { continue }
                places.append(value.place)
                before.append(value.sealed)
                after.append(resealed)
            } catch {
                if unreadable == 0 { say("\(column.location), \(value.place): \(error.sentence)") }
                unreadable += 1
            }
        }
        guard !places.isEmpty else { return (0, unreadable) }
        let replaced = try await database.execute(
            """
            update \(raw: table) t set \(identifier: column.column) = n.after
            from unnest(\(places), \(before), \(after)) n (place, before, after)
            where t.ctid = n.place::tid and t.\(identifier: column.column) = n.before
            """)
        return (replaced, unreadable)
    }
}

struct KeyRotationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
