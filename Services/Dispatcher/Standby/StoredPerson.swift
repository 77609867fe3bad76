import Postgres
import Primitives
import Reactor

/// Somebody who is watched, as a row of `WatchedPeople.select` has it.
struct StoredPerson: Sendable {
    let account: UUID
    let enrolled: Roster.Enrolled
    /// Sealed.
    let monitor: [UInt8]
    let revision: Int64

    init(_ row: PostgresRow) throws(PostgresError) {
        account = try row["account"]
        enrolled = Roster.Enrolled(
            version: try row["version"], rules: try row["rules"], details: try row["details"],
            identity: try row["identity"], thresholds: try row["own"])
        monitor = try row["state"]
        revision = try row["revision"]
    }
}
