import Contracts
import Domain
import Postgres
import Primitives

/// The consent to emergency calls: given and withdrawn by enrolling in AutomatedSOS and leaving it, of which the dispatcher tells
/// by its messages to the person. Here are the receipts.
enum EmergencyConsent {
    static let purpose = "emergency-calls"

    /// What a message of the dispatcher says of it; `nil` for all others.
    static func isGiven(by template: String) -> Bool? {
        switch template {
        case "sos-enrolled": true
        case "sos-ended": false
        default: nil
        }
    }

    /// Writes a receipt, unless the last one says the same: messages come again. The caller holds the account.
    static func record(
        _ isGiven: Bool, of account: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        let found = try await transaction.queryOne(
            """
            select a.language, coalesce(\(sql: last("a.id")), false) from account a
            where a.id = \(account) and a.kind = 'individual'
            """, as: String.self, Bool.self)
        guard let (language, wasGiven) = found, wasGiven != isGiven else { return }
        try await Consents.write(
            [(purpose, isGiven)], version: Dispatcher.clausesVersion, way: .session, language: language, of: account,
            at: now, in: transaction)
    }

    /// The last receipt of it, as an expression.
    static func last(_ account: SQL) -> SQL {
        """
        (select is_given from consent_receipt where account = \(sql: account) and purpose = \(purpose)
         order by number desc limit 1)
        """
    }
}
