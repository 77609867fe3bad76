import Domain
import Postgres
import Primitives

/// When a group of data types of one person was not collected (ING-14), by this service's clock.
struct Pause: Sendable, PostgresRowDecodable {
    /// Of a person so many are looked at, the last ones.
    static let countMax = 1000

    let account: UUID
    /// `nil` of a group that this version does not know.
    let group: DataType.Group?
    let from: Timestamp
    /// `nil` while it lasts.
    let to: Timestamp?

    init(row: PostgresRow) throws(PostgresError) {
        account = try row["account_id"]
        group = DataType.Group(rawValue: try row["kind"])
        from = try row["since"]
        to = try row["until"]
    }

    /// Those of people.
    static func pauses(of accounts: [UUID]) -> SQL {
        """
        select i.account_id, x.kind, x.since, x.until from unnest(\(accounts)) as i (account_id)
        join lateral (select number from person where account_id = i.account_id limit 1) p on true
        cross join lateral (
          select kind, since, until from pause where person = p.number order by since desc limit \(countMax)) x
        """
    }
}

/// The pauses of one person that have ended: what was measured in them is not stored, whenever it comes (ING-14).
struct Pauses: Sendable {
    /// In order; no two overlap. In milliseconds since 1970.
    private struct Spans: Sendable {
        var froms: [Int64] = []
        var tos: [Int64] = []
    }

    private var spans: [DataType.Group: Spans] = [:]

    var isEmpty: Bool { spans.isEmpty }

    init(_ pauses: some Sequence<Pause> = []) {
        for pause in pauses.sorted(by: { $0.from < $1.from }) {
            guard let group = pause.group, let to = pause.to?.millisecondsUp else { continue }
            let from = pause.from.milliseconds
            var own = spans[group] ?? Spans()
            // Those of a clock that was set back overlap.
            if let last = own.tos.last, from <= last {
                own.tos[own.tos.count - 1] = max(last, to)
            } else if from < to {
                own.froms.append(from)
                own.tos.append(to)
            }
            spans[group] = own
        }
    }

    /// Whether a sample was measured in a pause of its group, an interval also in part. In milliseconds (since 1970).
    func touch(_ group: DataType.Group, time: Int64, duration: Int64) -> Bool {
        guard let spans = spans[group] else { return false }
        let begun = spans.froms.range(from: .min, to: time + max(duration, 1)).upperBound
        return begun > 0 && spans.tos[begun - 1] > time
    }
}

extension SampleBatch {
    /// Removes what was measured in the pauses. Returns the groups of which that was something.
    mutating func remove(_ pauses: Pauses) -> Set<DataType.Group> {
        guard !pauses.isEmpty else { return [] }
        func rest<Column: SampleColumn>(_ column: Column, _ group: DataType.Group) -> Column {
            column.filtered { !pauses.touch(group, time: column.times[$0], duration: column.duration($0)) }
        }
        let all = self
        self = SampleBatch(
            values: all.values.map { rest($0, $0.type.group) }.filter { $0.count > 0 },
            positions: rest(all.positions, .position))
        var groups: Set<DataType.Group> = []
        if positions.count < all.positions.count { groups.insert(.position) }
        if count - positions.count < all.count - all.positions.count { groups.insert(.health) }
        return groups
    }
}
