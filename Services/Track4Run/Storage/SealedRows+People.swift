import Postgres
import Service
import Telemetry

extension SealedRows {
    /// The people of whom something is sealed here.
    static func people(in database: Database, _ observer: Observer) -> SealedRows {
        SealedRows(of: "track4run", in: database, observer) { accounts in
            """
            select a from unnest(\(accounts)) a
            where exists (select from enrolment where runner_id = a)
              or exists (select from run where organiser_id = a and organiser_name is not null)
              or exists (select from notice where account_id = a)
            """
        }
    }
}
