import Postgres
import Primitives
import Security
import Service

/// Checks the codes of a second factor, of the app and for recovery. Each is good once; wrong ones are counted (`FactorTries`).
struct FactorCodes: Sendable {
    static let recoveryCount = 10
    /// 50 bits, in two groups of five characters: with ten tries an hour nobody guesses one.
    private static let recoveryBytes = 7
    private static let recoveryLength = 10
    private static let typedBytesMax = 64
    private static let wrong = Refusal(.forbidden, "wrong-code", "The code is wrong or was used.", pointer: "/code")

    /// Which second factors an account has.
    struct Kinds: Sendable {
        let app: Bool
        let passkey: Bool
        var isAny: Bool { app || passkey }
    }

    enum Which {
        /// The first code of an app whose secret waits for it.
        case setup
        case inForce
    }

    let store: Store

    /// Those that log-ins of the account ask for.
    func kinds(of account: UUID, in session: some SQLSession) async throws -> Kinds {
        let found = try await session.queryOne(
            """
            select exists (select from second_factor where account = \(account) and confirmed_at is not null),
              exists (select from passkey where account = \(account))
            """, as: Bool.self, Bool.self)
        return Kinds(app: found?.0 == true, passkey: found?.1 == true)
    }

    /// Uses up a code, of six digits or for recovery, however it is spaced. A failure is to be answered after the transaction, which
    /// counts it, is committed. The caller holds the account.
    func use(
        _ typed: String, of account: UUID, _ which: Which = .inForce, in transaction: Transaction
    ) async throws -> Result<Void, WrongFactor> {
        let code = Self.normalized(typed)
        return try await FactorTries(store: store).attempt(of: account, wrong: Self.wrong, in: transaction) {
            if let digits = SixDigitCode(code) {
                return try await useApp(digits, of: account, which, in: transaction)
            }
            return which == .inForce ? try await useRecovery(code, of: account, in: transaction) : false
        }
    }

    private func useApp(
        _ digits: SixDigitCode, of account: UUID, _ which: Which, in transaction: Transaction
    ) async throws -> Bool {
        let factor = try await transaction.queryOne(
            """
            select secret, last_step from second_factor
            where account = \(account) and (confirmed_at is not null) = \(which == .inForce) for update
            """, as: [UInt8].self, Int64.self)
        guard let (secret, last) = factor else { return false }
        let own = try await store.key(of: account)
        let key = try TimeCodeKey(try store.columns.openBytes(secret, .secondFactor, row: account, with: own))
        guard let step = key.step(of: digits, at: store.now(), after: last) else { return false }
        try await transaction.execute("update second_factor set last_step = \(step) where account = \(account)")
        return true
    }

    private func useRecovery(_ code: String, of account: UUID, in transaction: Transaction) async throws -> Bool {
        let used = try await transaction.execute(
            """
            delete from recovery_code
            where account = \(account) and code_index = \(store.columns.index(recoveryCode: code, of: account))
            """)
        guard used == 1 else { return false }
        let left = try await transaction.queryOne(
            "select count(*) from recovery_code where account = \(account)", as: Int.self)
        try await Inbox.warn(
            account, MessageCatalogue.recoveryCodeUsed, ["left": "\(left ?? 0)"], store: store, in: transaction)
        return true
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

    /// Codes for recovery go with the last second factor.
    func dropIfUnneeded(_ account: UUID, in transaction: Transaction) async throws {
        guard try await !kinds(of: account, in: transaction).isAny else { return }
        try await transaction.execute("delete from recovery_code where account = \(account)")
    }

    /// Without spaces and hyphens, in lower case.
    private static func normalized(_ typed: String) -> String {
        guard typed.utf8.count <= typedBytesMax else { return "" }
        return typed.lowercased().filter { $0 != "-" && !$0.isWhitespace }
    }
}
