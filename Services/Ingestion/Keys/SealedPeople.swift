import Postgres
import Service
import Telemetry

extension SealedRows {
    /// The people of a shard of whom something is sealed.
    static func people(in database: Database, _ observer: Observer) -> SealedRows {
        SealedRows(of: "ingestion", in: database, observer) { accounts in
            """
            select account_id from person
            where account_id = any(\(accounts)) and (types <> 0 or details is not null)
            """
        }
    }
}
