import Postgres
import Primitives

/// Which versions of the terms an account has accepted, and when (ACC-05).
enum TermsAcceptance {
    static func record(
        _ version: String, by account: UUID, at now: Timestamp, in session: some SQLSession
    ) async throws(PostgresError) {
        try await session.execute(
            """
            insert into terms_acceptance (account, version, accepted_at) values (\(account), \(version), \(now))
            on conflict on constraint terms_acceptance_key do nothing
            """)
    }

    static func exists(
        _ version: String, by account: UUID, in session: some SQLSession
    ) async throws(PostgresError) -> Bool {
        try await session.queryOne(
            "select exists (select from terms_acceptance where account = \(account) and version = \(version))",
            as: Bool.self) ?? false
    }
}
