import Domain
import Postgres
import Primitives
import Security
import Service

/// Those who run the deployment and have a log-in for the operators' listener. They are invited and removed by commands on the machine
/// (`trackme-accounts operator invite|remove|list`): nobody can do it from the pages.
struct OperatorAccounts: Sendable {
    static let invitationLife = Duration.seconds(24 * 3600)
    static let countMax = 1000
    /// What the audit trail calls these acts.
    static let invitation = "operator.invite"
    static let removal = "operator.remove"

    struct Listed: Sendable {
        let name: String
        let hasLogIn: Bool
        let invitedUntil: Timestamp?
        let lastUsedAt: Timestamp?
    }

    let store: Store
    let audit: AuditTrail

    /// A token for choosing a password and setting up the app, good once and for a day. Somebody who has a log-in loses it: so who has
    /// lost the password or the app is invited again.
    func invite(_ name: String, by actor: String) async throws -> String {
        guard Self.isName(name) else {
            throw Refusal(
                .invalid, "operator-name",
                "A name has 2 to 32 lower-case letters, digits, points and hyphens, a letter first.")
        }
        let (token, now) = (OneTimeToken.random(), store.now())
        try await store.transaction { transaction in
            // One after the other, so that the count holds.
            try await transaction.execute("lock table operator in share row exclusive mode")
            let others = try await transaction.queryOne(
                "select count(*) from operator where name <> \(name)", as: Int.self)
            guard others ?? 0 < Self.countMax else {
                throw Refusal(.conflict, "too-many-operators", "There are \(Self.countMax) operators; remove some.")
            }
            try await transaction.execute(
                """
                insert into operator as o (id, name, invitation_hash, invitation_until, created_at)
                values (\(UUID.random()), \(name), \(token.storedHash), \(now + Self.invitationLife), \(now))
                on conflict on constraint operator_name_key do update
                set invitation_hash = excluded.invitation_hash, invitation_until = excluded.invitation_until,
                  password_hash = null, secret = null, last_step = 0
                """)
            try await OperatorTries(store: store).forget(name, in: transaction)
            try await transaction.execute(
                "delete from operator_session where operator in (select id from operator where name = \(name))")
            try await audit.append(
                [.init(actor: actor, action: Self.invitation, pseudonym: nil, purpose: name)], in: transaction)
        }
        return token.text
    }

    /// Ends the operator's sessions, too.
    func remove(_ name: String, by actor: String) async throws {
        try await store.transaction { transaction in
            guard try await transaction.execute("delete from operator where name = \(name)") == 1 else {
                throw Refusal(.notFound, "no-such-operator", "There is no operator of that name; `list` shows all.")
            }
            try await audit.append(
                [.init(actor: actor, action: Self.removal, pseudonym: nil, purpose: name)], in: transaction)
        }
    }

    func list() async throws -> [Listed] {
        try await store.database.query(
            """
            select name, password_hash is not null, invitation_until,
              (select max(used_at) from operator_session s where s.operator = o.id)
            from operator o order by name limit \(Self.countMax)
            """, as: String.self, Bool.self, Timestamp?.self, Timestamp?.self
        ).map { Listed(name: $0.0, hasLogIn: $0.1, invitedUntil: $0.2, lastUsedAt: $0.3) }
    }

    static func isName(_ text: String) -> Bool {
        (2...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            } && text.first?.isLetter == true
    }
}
