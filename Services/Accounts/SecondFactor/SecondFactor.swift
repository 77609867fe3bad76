import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Security
import Service

/// A second factor beside the password: the codes of an authenticator app (RFC 6238), and codes for the day it is lost. Log-ins ask
/// for it once it is on. Setting it up needs the password; changing anything later needs a code, too.
struct SecondFactor: Sendable {
    /// How long a secret waits for its first code.
    static let setupLife = Duration.seconds(1800)
    private static let issuer = "TrackMe"

    struct PasswordForm: Decodable, Sendable { let password: String }

    struct CodeForm: Decodable, Sendable { let code: String }

    struct Form: Decodable, Sendable {
        let password: String
        let code: String
    }

    struct State: Encodable, Sendable {
        /// Of the app.
        let isOn: Bool
        let since: Timestamp?
        /// How many the account has, which are a second factor, too.
        let passkeys: Int
        let recoveryCodesLeft: Int
    }

    /// A secret that waits for its first code.
    struct Setup: Encodable, Sendable {
        /// In base32, for typing.
        let secret: String
        /// The same for a QR code.
        let uri: String
        let expiresAt: Timestamp
    }

    struct Codes: Encodable, Sendable { let recoveryCodes: [String] }

    private static let off = Refusal(.conflict, "second-factor-off", "There is no second factor; set one up first.")

    let store: Store
    let proof: PasswordProof
    let sessions: Sessions
    private var codes: FactorCodes { FactorCodes(store: store) }

    func state(of account: UUID) async throws -> State {
        let found = try await store.database.queryOne(
            """
            select (select confirmed_at from second_factor where account = \(account)),
              (select count(*) from passkey where account = \(account)),
              (select count(*) from recovery_code where account = \(account))
            """, as: Timestamp?.self, Int.self, Int.self)
        return State(
            isOn: found?.0 != nil, since: found?.0, passkeys: found?.1 ?? 0, recoveryCodesLeft: found?.2 ?? 0)
    }

    /// A new secret in the place of one that still waits. Throws `wrong-password`, `too-many-tries`, `changed-meanwhile`, and
    /// `second-factor-on`.
    func begin(_ form: PasswordForm, of account: UUID, from address: SocketAddress?) async throws -> Setup {
        let hash = try await proof.check(form.password, of: account, from: address)
        let (key, now) = (TimeCodeKey.random(), store.now())
        let own = try await store.key(of: account)
        let sealed = store.columns.seal(bytes: key.bytes, .secondFactor, row: account, with: own)
        let email = try await store.transaction { transaction in
            try await PasswordProof.hold(account, checked: hash, in: transaction)
            let count = try await transaction.execute(
                """
                insert into second_factor as f (account, secret, begun_at) values (\(account), \(sealed), \(now))
                on conflict on constraint second_factor_key do update
                  set secret = excluded.secret, begun_at = excluded.begun_at, last_step = 0
                  where f.confirmed_at is null
                """)
            guard count == 1 else {
                throw Refusal(.conflict, "second-factor-on", "There is a second factor; remove it first.")
            }
            return try await transaction.queryOne("select email from account where id = \(account)", as: [UInt8].self)
        }
        guard let email else { throw Refusal.notFound }
        let name = try store.columns.openEmail(email, of: account, with: own).description
        return Setup(
            secret: key.text, uri: key.uri(issuer: Self.issuer, name: PercentEncoding.encode(name)),
            expiresAt: now + Self.setupLife)
    }

    /// The app has the secret: from now on log-ins ask for its codes, and all other sessions end, which began without. Throws
    /// `setup-expired`, `wrong-code`, `too-many-codes`.
    func activate(_ form: CodeForm, of account: UUID, current: UUID?) async throws -> Codes {
        let now = store.now()
        return try await refusable { transaction in
            try await Store.lock(account, in: transaction)
            let waits = try await transaction.queryOne(
                """
                select exists (select from second_factor
                  where account = \(account) and confirmed_at is null and begun_at > \(now - Self.setupLife))
                """, as: Bool.self)
            guard waits == true else {
                throw Refusal(.gone, "setup-expired", "There is no secret that waits for a code; please begin again.")
            }
            try await codes.use(form.code, of: account, .setup, in: transaction).get()
            try await transaction.execute(
                "update second_factor set confirmed_at = \(now) where account = \(account)")
            try await sessions.endAll(of: account, except: current, in: transaction)
            try await Inbox.warn(account, MessageCatalogue.secondFactorOn, store: store, in: transaction)
            return Codes(recoveryCodes: try await codes.renew(of: account, in: transaction))
        }
    }

    /// New recovery codes; the old ones are good no longer. Throws as `remove`.
    func renewCodes(_ form: Form, of account: UUID, from address: SocketAddress?) async throws -> Codes {
        try await change(form, of: account, from: address) { transaction in
            Codes(recoveryCodes: try await codes.renew(of: account, in: transaction))
        }
    }

    /// Throws `wrong-password`, `too-many-tries`, `changed-meanwhile`, `second-factor-off`, `wrong-code`, `too-many-codes`.
    func remove(_ form: Form, of account: UUID, from address: SocketAddress?) async throws {
        try await change(form, of: account, from: address) { transaction in
            let count = try await transaction.execute(
                "delete from second_factor where account = \(account) and confirmed_at is not null")
            guard count == 1 else { throw Self.off }
            try await codes.dropIfUnneeded(account, in: transaction)
            try await Inbox.warn(account, MessageCatalogue.secondFactorOff, store: store, in: transaction)
        }
    }

    private func change<Value: Sendable>(
        _ form: Form, of account: UUID, from address: SocketAddress?,
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value {
        let hash = try await proof.check(form.password, of: account, from: address)
        return try await refusable { transaction in
            try await PasswordProof.hold(account, checked: hash, in: transaction)
            guard try await codes.kinds(of: account, in: transaction).isAny else { throw Self.off }
            try await codes.use(form.code, of: account, in: transaction).get()
            return try await body(transaction)
        }
    }

    /// A wrong code is counted although it is refused: the transaction is kept, and the refusal thrown after it.
    private func refusable<Value: Sendable>(
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value {
        try await store.transaction { transaction -> Result<Value, WrongFactor> in
            do { return .success(try await body(transaction)) } catch let wrong as WrongFactor {
                return .failure(wrong)
            }
        }.mapError(\.refusal).get()
    }
}
