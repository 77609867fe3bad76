import Postgres
import Primitives

/// The devices that a snapshot of `accounts.changes` does not name: they were removed, or their account was erased, while this
/// service missed the news of it.
enum DeviceSnapshot {
    /// Accounts whose devices are removed in one transaction.
    static let accountsMax = 200

    static let begin: SQL = "update device_snapshot set number = number + 1"

    /// The snapshot that was begun last.
    static let last: SQL = "(select number from device_snapshot)"

    /// Removes what the last snapshot, which is complete, has not named. A device that accounts tells of later comes back.
    static func removeOthers(in database: Database, telling live: LiveFeed) async throws {
        guard let number = try await database.queryOne("select \(sql: last)", as: Int32.self) else { return }
        while true {
            let accounts = try await database.query(
                """
                select distinct account_id from (
                  select account_id from device where snapshot < \(number) and not is_removed limit \(Int64(accountsMax))) d
                """, as: UUID.self)
            guard !accounts.isEmpty else { return }
            // As for the news of one device, before any row.
            try await database.transaction { transaction in
                try await transaction.batch([ArrivalStore.lock(accounts)] + remove(accounts, before: number))
                try await live.tellCollection(of: accounts, in: transaction)
            }
            try Task.checkCancellation()
        }
    }

    private static func remove(_ accounts: [UUID], before number: Int32) -> [SQL] {
        [
            """
            update person set devices_version = \(Int32.random(in: .min ... .max))
            where account_id = any(\(accounts))
            """,
            """
            update device set is_removed = true
            where account_id = any(\(accounts)) and snapshot < \(number) and not is_removed
            """,
        ]
    }
}
