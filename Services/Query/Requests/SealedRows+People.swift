import Postgres
import Service
import Telemetry

extension SealedRows {
    /// The people of whom something is sealed here.
    static func people(in database: Database, _ observer: Observer) -> SealedRows {
        SealedRows(of: "query", in: database, observer) { accounts in
            """
            select a from unnest(\(accounts)) a
            where exists (select from request where individual_id = a)
              or exists (select from access where individual_id = a)
              or exists (select from notice where account_id = a)
            """
        }
    }
}
