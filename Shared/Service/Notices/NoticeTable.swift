import Postgres

/// The differences between the services' tables `notice`. All have `id uuid` (its key is `notice_key`), `template
/// text`, `content bytea` (sealed), `is_urgent boolean`, `due_at timestamptz` and `attempts integer`, and an index on
/// `(is_urgent, due_at)`.
public struct NoticeTable: Sendable {
    let account: String
    let hasEmail: Bool

    /// - Parameters:
    ///   - account: the column of the account's id.
    ///   - hasEmail: whether there is a column `email boolean`; without it every notice goes by mail.
    public init(account: String = "account_id", hasEmail: Bool = false) {
        self.account = account
        self.hasEmail = hasEmail
    }

    /// The columns of a new row.
    var inserted: SQL {
        "id, \(identifier: account), template, content, is_urgent, due_at" + (hasEmail ? ", email" : "")
    }

    /// The same of `unnest`, due at `time`.
    func values(dueAt time: some PostgresEncodable) -> SQL {
        "id, account, template, content, is_urgent, \(time)" + (hasEmail ? ", email" : "")
    }

    /// What a claimed row is read by.
    var claimed: SQL {
        "id, \(identifier: account), template, content, \(raw: hasEmail ? "email" : "true"), attempts"
    }
}
