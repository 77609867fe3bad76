import Domain
import Postgres
import Primitives

/// The statements of rollups: `rollup_state`, and all people's samples in one pass.
enum RollupStore {
    static let state: SQL = "select closed_through, is_released from rollup_state"

    /// The day of the first samples that are stored.
    static let firstDay: SQL = "select min((earliest at time zone 'UTC')::date) from arrival"

    static let release: SQL = "update rollup_state set is_released = true"

    /// Touches one row, unless another replica has closed the day.
    static func advance(from last: CalendarDate?, to day: CalendarDate) -> SQL {
        "update rollup_state set closed_through = \(day) where closed_through is not distinct from \(last)"
    }

    /// After one arrival (of a person), all people's with subject numbers, one person after the other.
    static func samples(
        after last: (account: UUID, arrival: Int64), types: Int64, from: CalendarDate, through: CalendarDate, limit: Int
    ) -> SQL {
        """
        select a.account_id, a.arrival, a.id, p.subject, a.sealed
        from arrival a join person p on p.account_id = a.account_id
        where (a.account_id, a.arrival) > (\(last.account), \(last.arrival)) and a.latest >= \(from.startUTC)
          and a.earliest < \(through.adding(days: 1).startUTC) and a.types & \(types) <> 0 and p.subject is not null
        order by a.account_id, a.arrival limit \(limit)
        """
    }
}
