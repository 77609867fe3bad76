import Domain
import Postgres
import Primitives

/// Which messages an account gets in which way (ACC-17). Without a choice each comes in both ways.
struct NotificationChoices: Sendable {
    struct Choice: Codable, Sendable {
        let kind: NotificationKind
        /// In the inbox, and as a push message of browsers where the kind has any.
        let inbox: Bool
        let mail: Bool
    }

    struct Listed: Encodable, Sendable {
        let kind: NotificationKind
        let inbox: Bool
        let mail: Bool
        /// It comes in both ways whatever is chosen.
        let isRequired: Bool
    }

    struct All: Decodable, Sendable {
        let choices: [Choice]
    }

    struct Own: Encodable, Sendable {
        let choices: [Listed]
    }

    let store: Store

    func kind(of account: UUID) async throws -> AccountKind {
        let kind = try await store.database.queryOne("select kind from account where id = \(account)", as: String.self)
        guard let kind else { throw Refusal.notFound }
        return try AccountKind.stored(kind)
    }

    func own(_ account: UUID, _ kind: AccountKind) async throws -> Own {
        let chosen = try await store.database.query(
            "select kind, inbox, mail from notification_choice where account = \(account)",
            as: String.self, Bool.self, Bool.self)
        return Own(
            choices: NotificationKind.all(of: kind).map { kind in
                let own = kind.isRequired ? nil : chosen.first { $0.0 == kind.rawValue }
                return Listed(kind: kind, inbox: own?.1 ?? true, mail: own?.2 ?? true, isRequired: kind.isRequired)
            })
    }

    /// Changes the kinds that are named. Throws `required` for what cannot be left out.
    func change(_ account: UUID, _ kind: AccountKind, _ all: All) async throws -> Own {
        var faults = Faults()
        if Set(all.choices.map(\.kind)).count < all.choices.count {
            faults.add(.invalid("/choices", "Each kind is named once."))
        }
        let possible = NotificationKind.all(of: kind)
        for (number, choice) in all.choices.enumerated() {
            if !possible.contains(choice.kind) {
                faults.add(.invalid("/choices/\(number)/kind", "This account gets no such messages."))
            } else if choice.kind.isRequired, !(choice.inbox && choice.mail) {
                faults.add(
                    .invalid(
                        "/choices/\(number)", "Safety requires these messages: they come in every way.",
                        code: "required"))
            }
        }
        try faults.check()
        try await store.database.execute(
            """
            insert into notification_choice (account, kind, inbox, mail)
            select \(account), t.* from unnest(\(all.choices.map(\.kind.rawValue)), \(all.choices.map(\.inbox)),
              \(all.choices.map(\.mail))) t
            on conflict on constraint notification_choice_key do update set inbox = excluded.inbox, mail = excluded.mail
            """)
        return try await own(account, kind)
    }

    /// In which ways a message is wanted.
    static func wants(
        _ kind: NotificationKind, of account: UUID, in transaction: Transaction
    ) async throws(PostgresError) -> (inbox: Bool, mail: Bool) {
        guard !kind.isRequired else { return (true, true) }
        let chosen = try await transaction.queryOne(
            "select inbox, mail from notification_choice where account = \(account) and kind = \(kind.rawValue)",
            as: Bool.self, Bool.self)
        return chosen ?? (true, true)
    }
}
