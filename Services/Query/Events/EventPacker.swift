import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// Packs events whose data has left once they are a week old, day by day of each request. A row of `packing` says when a request is
/// to be looked at; whoever holds it packs, in the transaction that takes the events' rows away. So a reader, whose question is one
/// statement, finds each event once, and an erasure, which deletes that row first, misses none.
struct EventPacker: Sendable {
    /// How old events are that are packed: the whole days before.
    static let days: Int64 = 7
    /// Rows that are looked at together, and the bytes of what is sealed in them, about.
    static let (rowsMax, bytesMax) = (1000, 2 * 1024 * 1024)
    private static let day = Duration.seconds(86_400)

    let database: Database
    let keys: SubjectKeys
    let clock: any WallClock
    let unreadable: UnreadableRows

    /// Data of a request may come from now on.
    static func begin(
        _ request: UUID, at time: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        // By the database's time, too: no wrong clock puts it off for years.
        try await transaction.execute(
            """
            insert into packing (request_id, due_at)
            values (\(request), least(\(time), now()) + \(sql: interval(days: days + 1)))
            """)
    }

    /// Packs what is due.
    func round() async throws {
        while !Task.isCancelled, try await step() {}
    }

    /// Packs some of what is due of a request; `false` when none is due that nobody else packs.
    func step() async throws -> Bool {
        try await database.transaction { transaction in
            let now = try await transaction.certainTime(by: clock)
            guard let turn = try await turn(at: now, in: transaction) else { return false }
            let end = (now - Self.day * Int(Self.days)).dateUTC.startUTC
            let rows = try await rows(of: turn, before: end, in: transaction)
            guard let last = rows.last else {
                try await rest(turn, at: now, after: turn.packedTo, in: transaction)
                return true
            }
            // Of somebody who is being erased there is none; of a key that is lost the rows say so when they are read.
            let held = try await keys.keySet(of: [turn.individual])
            guard let key = try? held.key(of: turn.individual) else {
                try await putOff(turn, until: now + Self.day, in: transaction)
                return true
            }
            let goesOn = rows.count == Self.rowsMax || rows.reduce(0) { $0 + $1.bytes } >= Self.bytesMax
            let entries = rows.compactMap { row -> EventPack.Entry? in
                guard let sealed = row.sealed else { return nil }
                return unreadable.read("query.event", row.id) { try row.entry(sealed, key) } ?? nil
            }
            let plan = EventPack.Plan(entries, after: turn.packedTo, last: last.number, goesOn: goesOn)
            for pack in plan.packs { try await store(pack, of: turn, with: key, in: transaction) }
            if goesOn {
                try await transaction.execute(
                    "update packing set packed_to = \(plan.lookedAt) where request_id = \(turn.request)")
            } else {
                try await rest(turn, at: now, after: plan.lookedAt, in: transaction)
            }
            return true
        }
    }

    // MARK: Turns

    /// A request whose events this process packs until the transaction ends.
    private struct Turn {
        let request: UUID
        let requester: UUID
        let individual: UUID
        let isOpen: Bool
        let packedTo: Int64
    }

    private func turn(at now: Timestamp, in transaction: Transaction) async throws(PostgresError) -> Turn? {
        try await transaction.queryOne(
            """
            select r.id, r.requester_id, r.individual_id, r.state = 'accepted', p.packed_to
            from packing p join request r on r.id = p.request_id
            where p.due_at <= \(now) order by p.due_at limit 1 for update of p skip locked
            """, as: UUID.self, UUID.self, UUID.self, Bool.self, Int64.self
        ).map { Turn(request: $0.0, requester: $0.1, individual: $0.2, isOpen: $0.3, packedTo: $0.4) }
    }

    /// Ends a turn: the request is due again when the day of its next event is a week old; never, when there is none and none comes.
    private func rest(
        _ turn: Turn, at now: Timestamp, after number: Int64, in transaction: Transaction
    ) async throws(PostgresError) {
        let next = try await transaction.queryOne(
            """
            select created_at from event where request_id = \(turn.request) and number > \(number) and content is not null
            order by number limit 1
            """, as: Timestamp.self)
        guard next != nil || turn.isOpen else {
            try await transaction.execute("delete from packing where request_id = \(turn.request)")
            return
        }
        // Not all at midnight.
        let spread = Duration.milliseconds(Int64(turn.request.low % UInt64(Self.day.milliseconds)))
        let due = next.map { $0.dateUTC.startUTC + Self.day * Int(Self.days + 1) + spread } ?? now
        try await transaction.execute("update packing set packed_to = \(number) where request_id = \(turn.request)")
        try await putOff(turn, until: due > now ? due : now + Self.day * Int(Self.days), in: transaction)
    }

    private func putOff(
        _ turn: Turn, until time: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        try await transaction.execute("update packing set due_at = \(time) where request_id = \(turn.request)")
    }

    private static func interval(days: Int64) -> SQL { "\(days) * interval '24 hours'" }

    // MARK: Rows

    private struct Row {
        let number: Int64
        let id: UUID
        let createdAt: Timestamp
        let kind: String
        let types: [Int16]
        let counts: [Int32]
        let measured: ClosedRange<Timestamp>
        let bytes: Int
        /// Of one that may be packed.
        let sealed: [UInt8]?

        func entry(_ sealed: [UInt8], _ key: SubjectKey) throws -> EventPack.Entry? {
            // An id that does not tell the time would lose it.
            guard id.madeAt == createdAt else { return nil }
            let series = JSONRaw(unchecked: try key.open(sealed, at: EventLog.location(id)))
            return EventPack.Entry(
                number: number, id: id, createdAt: createdAt, kind: kind,
                piece: EventPack.Piece(
                    types: types, counts: counts, from: measured.lowerBound, to: measured.upperBound, series: series))
        }
    }

    /// Rows after those that are packed, in order, up to the first that is not old enough.
    private func rows(
        of turn: Turn, before end: Timestamp, in transaction: Transaction
    ) async throws -> [Row] {
        try await transaction.rows(
            """
            select number, id, created_at, kind, types, counts, measured_from, measured_to, octet_length(content) as bytes,
              case when has_left and octet_length(content) <= \(EventPack.eventBytesMax) then content end as content
            from (
              select *, bool_or(created_at >= \(end)) over (order by number) as is_young,
                coalesce(sum(octet_length(content)) over (order by number rows between unbounded preceding and 1 preceding), 0) as before
              from (
                select * from event where request_id = \(turn.request) and number > \(turn.packedTo) and content is not null
                order by number limit \(Self.rowsMax)) e) e
            where not is_young and before < \(Self.bytesMax) order by number
            """
        ).map { row in
            Row(
                number: try row["number"], id: try row["id"], createdAt: try row["created_at"], kind: try row["kind"],
                types: try row["types"], counts: try row["counts"],
                measured: try row["measured_from"]...row["measured_to"],
                bytes: Int(try row.decode("bytes", as: Int32.self)), sealed: try row["content"])
        }
    }

    /// A row of a pack was deleted by another one meanwhile; the transaction is undone.
    private struct RowsAreGone: Error {}

    private func store(
        _ pack: [EventPack.Entry], of turn: Turn, with key: SubjectKey, in transaction: Transaction
    ) async throws {
        guard let first = pack.first, let last = pack.last, let content = try EventPack.seal(pack, with: key) else {
            return
        }
        let times = pack.map(\.createdAt)
        let deleted = try await transaction.execute(
            """
            delete from event where requester_id = \(turn.requester) and number = any(\(pack.map(\.number)))
              and request_id = \(turn.request) and has_left
            """)
        guard deleted == pack.count else { throw RowsAreGone() }
        try await transaction.execute(
            """
            insert into event_pack (requester_id, number, first_number, request_id, kind, steps, ids, samples, measured_from,
              measured_to, first_at, created_at, content)
            values (\(turn.requester), \(last.number), \(first.number), \(turn.request), \(first.kind),
              \(pack.map { Int32(clamping: $0.number - first.number) }), \(pack.map(\.id)),
              \(pack.reduce(0) { $0 + $1.piece.samples }), \(pack.map(\.piece.from).min() ?? first.piece.from),
              \(pack.map(\.piece.to).max() ?? first.piece.to), \(times.min() ?? first.createdAt),
              \(times.max() ?? first.createdAt), \(content))
            """)
    }
}
