import Postgres
import Service
import Telemetry

extension SealedRows {
    /// The people of whom something is sealed with their key.
    static func watched(in database: Database, _ observer: Observer) -> SealedRows {
        SealedRows(of: "dispatcher", in: database, observer) { accounts in
            "select account from enrolment where account = any(\(accounts)) and is_active"
        }
    }
}
