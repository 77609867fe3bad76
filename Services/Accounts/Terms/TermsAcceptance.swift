import Domain
import Postgres
import Primitives

/// Which versions of the terms an account has accepted, when and how (ACC-05).
enum TermsAcceptance {
    static func record(
        _ version: String, by account: UUID, way: ConsentWay, at now: Timestamp, in session: some SQLSession
    ) async throws(PostgresError) {
        try await session.execute(
            """
            insert into terms_acceptance (account, version, accepted_at, way)
            values (\(account), \(version), \(now), \(way.rawValue))
            on conflict on constraint terms_acceptance_key do nothing
            """)
    }
}
