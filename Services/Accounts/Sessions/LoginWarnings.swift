import Postgres
import Primitives
import Security

/// Notifies owners of wrong passwords (ACC-08), counted by account, whatever name was typed. The mail is written
/// independently of the answer, which takes the same time whether there is such an account or not (ACC-07).
struct LoginWarnings: Sendable {
    /// Interval at which accounts to be notified are looked for.
    static let interval = Duration.seconds(1)
    /// Owners told in one transaction.
    static let batchMax = 100
    private static let names = UUID.named(Array("wrong-passwords.accounts.trackme".utf8), in: .dnsNamespace)

    let store: Store

    /// Counts a wrong password for `account`, or, where there is none, for the name that was typed.
    func count(_ account: UUID?, name: [UInt8]) async throws {
        let now = store.now()
        let row = account ?? .named(name, in: Self.names)
        try await store.database.execute(
            """
            insert into wrong_password as w (account, tries, last_at) values (\(row), 1, \(now))
            on conflict on constraint wrong_password_key do update set
              tries = case when w.last_at < \(now - LoginAttempts.memory) then 1 else w.tries + 1 end,
              is_told = w.is_told and w.last_at >= \(now - LoginAttempts.memory), last_at = \(now)
            """)
    }

    /// Clears the count after the right password.
    func forget(_ account: UUID) async throws(PostgresError) {
        try await store.database.execute("delete from wrong_password where account = \(account)")
    }

    /// Notifies the owners of accounts with three consecutive wrong passwords, once. It cannot be switched off, since
    /// it concerns the account's safety. An address that is not confirmed may be somebody else's and gets no mail.
    func sendDue() async throws {
        while try await sendBatch() == Self.batchMax {}
    }

    private func sendBatch() async throws -> Int {
        try await store.transaction { transaction in
            let due = try await transaction.query(
                """
                select account, last_at from wrong_password
                where not is_told and tries >= \(raw: String(LoginAttempts.freeTries)) limit \(Self.batchMax)
                for update skip locked
                """, as: UUID.self, Timestamp.self)
            guard !due.isEmpty else { return 0 }
            try await transaction.execute(
                "update wrong_password set is_told = true where account = any(\(due.map(\.0)))")
            let confirmed = try await transaction.query(
                """
                select id from account where id = any(\(due.map(\.0))) and confirmed_at is not null for key share
                """, as: UUID.self)
            for (account, time) in due where confirmed.contains(account) {
                try await Inbox.put(
                    MessageCatalogue.wrongPasswords, ["time": time.description], id: .timeOrdered(at: store.now()),
                    to: account, email: true, store: store, in: transaction)
            }
            return due.count
        }
    }
}
