import Postgres
import Primitives
import Security
import Service

/// Checks the codes of a second factor. Each is good once. A million codes are soon tried: so few wrong ones are taken in an hour,
/// and the owner is told of somebody who knows the password and tries codes.
struct FactorCodes: Sendable {
    static let wrongMax = 10
    static let wrongWindow = Duration.seconds(3600)
    /// Of so many the owner is told.
    static let wrongTold = 3
    static let recoveryCount = 10
    /// 50 bits, in two groups of five characters: with ten tries an hour nobody guesses one.
    private static let recoveryBytes = 7
    private static let recoveryLength = 10
    private static let typedBytesMax = 64

    enum Kinds {
        /// Of the app alone, as long as there are no others.
        case app
        case all
    }

    /// What to answer for a code that is not taken.
    struct Wrong: Error {
        let refusal: Refusal
    }

    let store: Store

    /// Whether log-ins of the account need a code.
    func areNeeded(by account: UUID, in session: some SQLSession) async throws -> Bool {
        try await session.queryOne(
            "select exists (select from second_factor where account = \(account) and confirmed_at is not null)",
            as: Bool.self) == true
    }

    /// Uses up a code, of six digits or for recovery, however it is spaced. A failure is to be answered after the transaction, which
    /// counts it, is committed. The caller holds the account.
    func use(
        _ typed: String, of account: UUID, among kinds: Kinds = .all, in transaction: Transaction
    ) async throws -> Result<Void, Wrong> {
        let now = store.now()
        let factor = try await transaction.queryOne(
            """
            select secret, last_step, case when wrong_since > \(now - Self.wrongWindow) then wrong else 0 end, wrong_since
            from second_factor where account = \(account) for update
            """, as: [UInt8].self, Int64.self, Int32.self, Timestamp?.self)
        guard let (secret, lastStep, wrong, since) = factor else { throw StoredValueError(column: "second_factor") }
        guard wrong < Self.wrongMax else {
            let end = (since ?? now) + Self.wrongWindow
            return .failure(
                Wrong(
                    refusal: Refusal(
                        .tooManyTries, "too-many-codes", "Too many wrong codes; please wait.",
                        retryAfter: max(.seconds(1), end - now))))
        }
        let code = Self.normalized(typed)
        if let digits = SixDigitCode(code) {
            let key = try TimeCodeKey(try store.columns.openBytes(secret, .secondFactor, row: account))
            if let step = key.step(of: digits, at: now, after: lastStep) {
                try await transaction.execute(
                    "update second_factor set last_step = \(step), wrong = 0 where account = \(account)")
                return .success(())
            }
        } else if kinds == .all, try await useRecovery(code, of: account, in: transaction) {
            return .success(())
        }
        try await count(wrong + 1, since: wrong == 0 ? now : since ?? now, of: account, in: transaction)
        return .failure(
            Wrong(refusal: Refusal(.forbidden, "wrong-code", "The code is wrong or was used.", pointer: "/code")))
    }

    /// After a right code; and with a new password, since who tried codes knew the old one: the owner waits for nothing.
    static func forgive(_ account: UUID) -> SQL { "update second_factor set wrong = 0 where account = \(account)" }

    private func useRecovery(_ code: String, of account: UUID, in transaction: Transaction) async throws -> Bool {
        let used = try await transaction.execute(
            """
            delete from recovery_code
            where account = \(account) and code_index = \(store.columns.index(recoveryCode: code, of: account))
            """)
        guard used == 1 else { return false }
        try await transaction.execute(Self.forgive(account))
        let left = try await transaction.queryOne(
            "select count(*) from recovery_code where account = \(account)", as: Int.self)
        try await Inbox.warn(
            account, MessageCatalogue.recoveryCodeUsed, ["left": "\(left ?? 0)"], store: store, in: transaction)
        return true
    }

    private func count(
        _ wrong: Int32, since: Timestamp, of account: UUID, in transaction: Transaction
    ) async throws {
        try await transaction.execute(
            "update second_factor set wrong = \(wrong), wrong_since = \(since) where account = \(account)")
        guard wrong == Self.wrongTold else { return }
        try await Inbox.warn(account, MessageCatalogue.wrongCodes, store: store, in: transaction)
    }

    /// New codes in the place of all earlier ones: the only time that they are readable.
    func renew(of account: UUID, in transaction: Transaction) async throws -> [String] {
        let codes = (0..<Self.recoveryCount).map { _ in
            String(Base32.encode(randomBytes(Self.recoveryBytes)).lowercased().prefix(Self.recoveryLength))
        }
        try await transaction.batch([
            "delete from recovery_code where account = \(account)",
            """
            insert into recovery_code (account, code_index)
            select \(account), c from unnest(\(codes.map { store.columns.index(recoveryCode: $0, of: account) })) c
            """,
        ])
        return codes.map { "\($0.prefix(Self.recoveryLength / 2))-\($0.suffix(Self.recoveryLength / 2))" }
    }

    /// Without spaces and hyphens, in lower case.
    private static func normalized(_ typed: String) -> String {
        guard typed.utf8.count <= typedBytesMax else { return "" }
        return typed.lowercased().filter { $0 != "-" && !$0.isWhitespace }
    }
}
