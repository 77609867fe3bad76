import Domain
import Postgres
import Primitives
import Reactor
import Security
import Service

/// The log-in of operators: name, password and a code of the authenticator app, always all three. The way to it goes through the
/// second server of the proxy, which asks for a certificate before.
struct OperatorLogin: Sendable {
    /// What the audit trail calls a log-in, and one that was refused.
    static let action = "operator.log_in"
    static let refusedAction = "operator.log_in_refused"
    private static let issuer = "TrackMe"

    struct Form: Decodable, Sendable {
        let name: String
        let password: String
        let code: String
    }

    struct InvitationForm: Decodable, Sendable { let token: String }

    struct AcceptanceForm: Decodable, Sendable {
        let token: String
        let password: String
        let code: String
    }

    /// What an authenticator app is set up with.
    struct Setup: Encodable, Sendable {
        let name: String
        /// In base32, for typing.
        let secret: String
        /// The same for a QR code.
        let uri: String
    }

    private static let wrong = Refusal(
        .forbidden, "wrong-credentials", "There is no such operator, or the password or the code is wrong.")
    private static let wrongCode = Refusal(
        .forbidden, "wrong-code", "The code is wrong or was used.", pointer: "/code")
    private static let expired = Refusal(
        .gone, "invitation-expired", "This invitation is not valid, or no longer: ask for another one.")

    let store: Store
    let hasher: PasswordHasher
    let sessions: OperatorSessions
    let audit: AuditTrail
    private var tries: OperatorTries { OperatorTries(store: store) }

    // MARK: Invitations

    /// A new secret for the app of who was invited; asked again, another one in its place.
    func begin(_ form: InvitationForm) async throws -> Setup {
        guard let token = OneTimeToken(form.token) else { throw Self.expired }
        let key = TimeCodeKey.random()
        let name = try await store.transaction { transaction in
            let invited = try await invited(token, in: transaction)
            let sealed = store.columns.seal(bytes: key.bytes, .operatorSecret, row: invited.id)
            try await transaction.execute(
                "update operator set secret = \(sealed), last_step = 0 where id = \(invited.id)")
            return invited.name
        }
        return Setup(name: name, secret: key.text, uri: key.uri(issuer: Self.issuer, name: name))
    }

    /// Sets the password, once the app has shown with a code that it has the secret, and logs in.
    func accept(_ form: AcceptanceForm, from address: SocketAddress?) async throws -> OperatorSessions.Opened {
        guard let token = OneTimeToken(form.token) else { throw Self.expired }
        try Registration.check(form.password, of: PasswordPolicy.Person())
        let hash = try await hasher.hash(form.password, for: HashingTurns.Client(address, isKnown: false))
        return try await store.transaction { transaction in
            let invited = try await invited(token, in: transaction)
            // Who has the token could have another secret: wrong codes are not counted, and wrong log-ins do not keep anybody out here.
            guard try await use(form.code, invited, in: transaction) else { throw Self.wrongCode }
            try await transaction.execute(
                """
                update operator set password_hash = \(hash), invitation_hash = null, invitation_until = null
                where id = \(invited.id)
                """)
            try await tries.forget(invited.name, in: transaction)
            return try await open(invited, in: transaction)
        }
    }

    // MARK: Log-in

    /// Opens a session. Whatever is wrong gets the same answer after a password was hashed, until there were too many wrong ones; names
    /// that nobody has, too. An existing name takes a commit more, for the audit trail.
    func begin(_ form: Form, from address: SocketAddress?) async throws -> OperatorSessions.Opened {
        guard OperatorAccounts.isName(form.name), form.password.utf8.count <= PasswordPolicy.typedBytesMax else {
            throw Self.wrong
        }
        try await tries.begin(form.name)
        let found = try await find("name = \(form.name)", in: store.database)
        let isRight: Bool
        do {
            isRight = try await hasher.matches(
                form.password, stored: found?.passwordHash, for: HashingTurns.Client(address, isKnown: false))
        } catch let error as IOError {
            // No turn, no check.
            try await tries.takeBack(form.name)
            throw error
        }
        guard let found else { throw Self.wrong }
        return try await store.transaction { transaction -> Result<OperatorSessions.Opened, Refusal> in
            // As it is now: the password may have been changed meanwhile.
            guard let now = try await find("id = \(found.id) for update", in: transaction) else {
                return .failure(Self.wrong)
            }
            guard isRight, now.passwordHash == found.passwordHash, try await use(form.code, now, in: transaction) else {
                try await note(Self.refusedAction, now, in: transaction)
                return .failure(Self.wrong)
            }
            try await tries.forget(now.name, in: transaction)
            return .success(try await open(now, in: transaction))
        }.get()
    }

    // MARK: Steps

    private struct Found: Sendable {
        let id: UUID
        let name: String
        let passwordHash: String?
        let secret: [UInt8]?
        let lastStep: Int64
    }

    private func find(_ which: SQL, in session: some SQLSession) async throws -> Found? {
        try await session.queryOne(
            """
            select id, name, password_hash, secret, last_step from operator where \(sql: which)
            """
        ) { row throws(PostgresError) in
            Found(
                id: try row["id"], name: try row["name"], passwordHash: try row["password_hash"],
                secret: try row["secret"], lastStep: try row["last_step"])
        }
    }

    private func invited(_ token: OneTimeToken, in transaction: Transaction) async throws -> Found {
        let which: SQL = "invitation_hash = \(token.storedHash) and invitation_until > \(store.now()) for update"
        guard let found = try await find(which, in: transaction) else { throw Self.expired }
        return found
    }

    /// Uses up a code of the app.
    private func use(_ typed: String, _ found: Found, in transaction: Transaction) async throws -> Bool {
        guard let code = SixDigitCode(typed.filter { !$0.isWhitespace }), let secret = found.secret else {
            return false
        }
        let key = try TimeCodeKey(try store.columns.openBytes(secret, .operatorSecret, row: found.id))
        guard let step = key.step(of: code, at: store.now(), after: found.lastStep) else { return false }
        try await transaction.execute("update operator set last_step = \(step) where id = \(found.id)")
        return true
    }

    private func open(_ found: Found, in transaction: Transaction) async throws -> OperatorSessions.Opened {
        try await note(Self.action, found, in: transaction)
        return try await sessions.open(for: found.id, name: found.name, in: transaction)
    }

    private func note(_ action: String, _ found: Found, in transaction: Transaction) async throws {
        try await audit.append(
            [.init(actor: OperatorSessions.actor(found.name), action: action, pseudonym: nil, purpose: "log-in")],
            in: transaction)
    }
}
