import Postgres
import Primitives

/// What to answer for a code or a passkey that is not taken.
struct WrongFactor: Error {
    let refusal: Refusal
}

/// Counts wrong codes and wrong passkeys of an account together. A million codes are soon tried: so few wrong ones are taken in an
/// hour, and the owner is told of somebody who knows the password and tries.
struct FactorTries: Sendable {
    static let wrongMax = 10
    static let window = Duration.seconds(3600)
    /// Of so many the owner is told.
    static let told = 3

    let store: Store

    /// Does `check`, and counts it when it answers false with `wrong`. A failure is to be answered after the transaction, which counts
    /// it, is committed. The caller holds the account.
    func attempt(
        of account: UUID, wrong: Refusal, in transaction: Transaction, _ check: () async throws -> Bool
    ) async throws -> Result<Void, WrongFactor> {
        let now = store.now()
        // First: where the owner could not be told, nothing is tried, and so nothing goes uncounted.
        _ = try await store.key(of: account)
        let found = try await transaction.queryOne(
            """
            select wrong, wrong_since from factor_try
            where account = \(account) and wrong > 0 and wrong_since > \(now - Self.window)
            """, as: Int32.self, Timestamp.self)
        let (count, since) = found ?? (0, now)
        guard count < Self.wrongMax else {
            return .failure(
                WrongFactor(
                    refusal: Refusal(
                        .tooManyTries, "too-many-codes", "Too many wrong codes; please wait.",
                        retryAfter: max(.seconds(1), since + Self.window - now))))
        }
        if try await check() {
            try await transaction.execute(Self.forgive(account))
            return .success(())
        }
        try await transaction.execute(
            """
            insert into factor_try (account, wrong, wrong_since) values (\(account), \(count + 1), \(since))
            on conflict on constraint factor_try_key do update
              set wrong = excluded.wrong, wrong_since = excluded.wrong_since
            """)
        if count + 1 == Self.told {
            try await Inbox.warn(account, MessageCatalogue.wrongCodes, store: store, in: transaction)
        }
        return .failure(WrongFactor(refusal: wrong))
    }

    /// After a right one; and with a new password, since who tried knew the old one: the owner waits for nothing.
    static func forgive(_ account: UUID) -> SQL { "delete from factor_try where account = \(account)" }
}
