import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Log-in with e-mail address or fiscal code, and password (ACC-07).
struct Login: Sendable {
    static let loginBytesMax = 254
    /// Wrong names or passwords from one client address within `wrongWindow`, under whatever names, in each replica:
    /// this stops a client that tries one password with many names. Addresses from which the right password came before
    /// do not count.
    static let wrongPerAddressMax = 30
    static let wrongWindow = Duration.seconds(600)

    struct Form: Decodable, Sendable {
        let login: String
        let password: String
        /// The kind of account, where a company's third-party and organiser accounts share an address.
        let kind: AccountKind?
        /// Accepts a version of the terms that came into force since the last log-in (ACC-05).
        let termsVersion: String?
        /// What the person consents to: at the first log-in of who has not filled in the form alone, and of who was a child then.
        let consents: Accounts.Consents?
        /// Of the second factor, where there is one: of the app, or for recovery.
        let code: String?
        /// Of the second factor, instead: what a passkey has signed.
        let passkey: PasskeyAssertions.Form?
    }

    private static let wrong = Refusal(
        .unauthenticated, "wrong-credentials", "There is no such account, or the password is wrong.")

    let store: Store
    let hasher: PasswordHasher
    let attempts: LoginAttempts
    let wrongTries: AddressLimit
    let warnings: LoginWarnings
    let sessions: Sessions
    let terms: TermsCatalogue
    let passkeys: PasskeyAssertions
    private var agreement: Agreement { Agreement(store: store, terms: terms) }
    private var codes: FactorCodes { FactorCodes(store: store) }

    /// Opens a session. An unknown name and a wrong password get the same answer after the same work.
    func begin(_ form: Form, from address: SocketAddress?) async throws -> Sessions.Opened {
        guard (1...Self.loginBytesMax).contains(form.login.utf8.count),
            form.password.utf8.count <= PasswordPolicy.typedBytesMax
        else { throw Self.wrong }
        let name = LoginName(form.login)
        let place = LoginAttempts.Place(
            here: store.columns.index(login: name.normalized, from: address?.network ?? []),
            name: LoginAttempts.Name(
                index: store.columns.index(login: name.normalized),
                turn: store.columns.index(login: name.normalized, turnOf: address?.site ?? []),
                turns: store.columns.index(turnsOf: name.normalized)))
        let isKnown = try await attempts.isKnown(place)
        let counted = isKnown ? nil : try wrongTries.admit(address)
        let attempt = try await attempts.begin(place, isKnown: isKnown)
        let account = try await find(name, kind: form.kind)
        let client = HashingTurns.Client(address, isKnown: isKnown)
        let isRight: Bool
        do {
            isRight = try await hasher.matches(form.password, stored: account?.passwordHash, for: client)
        } catch let error as IOError {
            // No turn, no check.
            if let counted { wrongTries.takeBack(counted) }
            try await attempts.takeBack(attempt)
            throw error
        }
        guard isRight, let account else {
            try await warnings.count(account?.id, name: place.here)
            throw Self.wrong
        }
        var outcome = try await open(account, form)
        // Another log-in may have stored the same password anew; or the owner has changed it while this waited for its turn.
        if case .wrongPassword = outcome, let now = try await find(name, kind: form.kind), now.id == account.id,
            try await hasher.matches(form.password, stored: now.passwordHash, for: client)
        {
            outcome = try await open(now, form)
        }
        if case .wrongPassword = outcome {
            try await warnings.count(account.id, name: place.here)
            throw Self.wrong
        }
        if let counted { wrongTries.takeBack(counted) }
        switch outcome {
        case .factorNeeded, .wrongFactor:
            // Who knows the password only is not known by that; wrong codes are counted by themselves.
            try await attempts.takeBack(attempt)
        default:
            try await attempts.succeeded(place)
            try await warnings.forget(account.id)
        }
        switch outcome {
        case .factorNeeded(let members):
            var refusal = Refusal(
                .forbidden, "second-factor-needed",
                "Log in with code, too: from the authenticator app, or for recovery; or with passkey.")
            refusal.members = members
            throw refusal
        case .wrongFactor(let wrong): throw wrong.refusal
        case .opened(let session):
            await renewHash(of: account, form.password, for: client)
            return session
        case .suspended:
            throw Refusal(
                .forbidden, "suspended",
                "This account is suspended; the mail to its address says why. Write to support.")
        case .notConfirmed:
            throw Refusal(
                .forbidden, "not-confirmed", "Please open the link in the mail first; you can have it sent again.")
        case .termsNotAccepted(let version):
            throw Refusal(
                .forbidden, "terms-not-accepted",
                "Terms of version \(version) hold now; please read them and log in with terms_version.")
        case .notConsented(let version):
            throw Refusal(
                .forbidden, "consent-needed",
                "Read the terms of version \(version) and log in with terms_version and consents, which are yours to give."
            )
        case .wrongPassword: throw Self.wrong
        }
    }

    /// Stores the right password anew when its hash was made with other parameters than those of today. The session is open
    /// whatever becomes of this: without a turn, or without the database, a later log-in does it.
    private func renewHash(of account: Found, _ password: String, for client: HashingTurns.Client) async {
        guard let stored = account.passwordHash, (try? PasswordHash(stored: stored))?.parameters != hasher.parameters,
            let hash = try? await hasher.hash(password, for: client)
        else { return }
        _ = try? await store.database.execute(
            "update password set hash = \(hash) where account = \(account.id) and hash = \(stored)")
    }

    private struct Found: Sendable {
        let id: UUID
        let kind: AccountKind
        let isConfirmed: Bool
        let passwordHash: String?
    }

    /// One statement for every name, so that it takes the same time.
    private func find(_ name: LoginName, kind: AccountKind?) async throws -> Found? {
        let email = name.email.map { store.columns.index($0) } ?? []
        let code = name.fiscalCode.map { store.columns.index($0) } ?? []
        let found = try await store.database.query(
            """
            select a.id, a.kind, a.confirmed_at is not null, w.hash
            from account a left join password w on w.account = a.id
            where a.id in (
                select id from account where email_index = \(email)
                union all select account from person where fiscal_code_index = \(code))
              and (\(kind?.rawValue)::text is null or a.kind = \(kind?.rawValue))
            order by a.kind = 'organiser' limit 1
            """, as: UUID.self, String.self, Bool.self, String?.self
        ).first
        return try found.map {
            Found(id: $0.0, kind: try AccountKind.stored($0.1), isConfirmed: $0.2, passwordHash: $0.3)
        }
    }

    private enum Outcome: Sendable {
        case opened(Sessions.Opened)
        case wrongPassword
        case notConfirmed
        case suspended
        case termsNotAccepted(version: String)
        case notConsented(version: String)
        /// With what the problem tells: which kinds there are, and what a passkey has to sign.
        case factorNeeded([String: JSONValue])
        case wrongFactor(WrongFactor)
    }

    /// Opens a session if the password is still the one that was checked. The account's row is locked until the session
    /// is stored, so that a change of the password or of the second factor either comes first, or finds the session and ends it.
    private func open(_ account: Found, _ form: Form) async throws -> Outcome {
        let version = terms[account.kind]
        return try await store.transaction { transaction in
            try await Store.lock(account.id, in: transaction)
            let stored = try await transaction.queryOne(
                "select hash from password where account = \(account.id)", as: String.self)
            guard let stored, stored == account.passwordHash else { return .wrongPassword }
            guard account.isConfirmed else { return .notConfirmed }
            if try await Suspension.isSuspended(account.id, in: transaction) { return .suspended }
            let state = try await agreement.state(of: account.id, account.kind, in: transaction)
            switch state {
            case .consentNeeded where form.termsVersion != version || form.consents == nil:
                return .notConsented(version: version)
            case .termsNeeded where form.termsVersion != version: return .termsNotAccepted(version: version)
            default: break
            }
            // Last of what may be refused, since a code is good once.
            if let refused = try await checkFactor(of: account.id, form, in: transaction) { return refused }
            if case .consentNeeded = state, let consents = form.consents {
                try await agreement.confirm(consents, version, by: account.id, in: transaction)
            } else if case .termsNeeded = state {
                try await TermsAcceptance.record(
                    version, by: account.id, way: .logIn, at: store.now(), in: transaction)
            }
            return .opened(try await sessions.open(for: account.id, kind: account.kind, in: transaction))
        }
    }

    /// Why the second factor keeps a log-in out; `nil` when it was given, or the account has none.
    private func checkFactor(of account: UUID, _ form: Form, in transaction: Transaction) async throws -> Outcome? {
        let kinds = try await codes.kinds(of: account, in: transaction)
        guard kinds.isAny else { return nil }
        let result: Result<Void, WrongFactor>
        if let passkey = form.passkey {
            result = try await FactorTries(store: store).attempt(
                of: account, wrong: PasskeyAssertions.wrong, in: transaction
            ) { try await passkeys.use(passkey, of: account, in: transaction) }
        } else if let code = form.code {
            result = try await codes.use(code, of: account, in: transaction)
        } else {
            var members: [String: JSONValue] = [
                "factors": .array((kinds.passkey ? ["passkey"] : []) + (kinds.app ? ["code"] : []))
            ]
            if kinds.passkey { members["passkey"] = try await passkeys.request(account, in: transaction) }
            return .factorNeeded(members)
        }
        guard case .failure(let wrong) = result else { return nil }
        return .wrongFactor(wrong)
    }
}
