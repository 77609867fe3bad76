import Postgres
import Primitives
import Security

/// People's pictures, each sealed with its account's row (ACC-02, NFR-05). Nobody but the person gets to see it.
struct Pictures: Sendable {
    let store: Store

    /// Replaces the picture.
    func put(_ picture: Picture, of account: UUID) async throws {
        let sealed = store.columns.seal(
            bytes: picture.stored, .picture, row: account, with: try await store.key(of: account))
        let count = try await store.database.execute(
            """
            insert into picture (account, content, changed_at)
            select account, \(sealed), \(store.now()) from person where account = \(account)
            on conflict on constraint picture_key do update set
              content = excluded.content, changed_at = excluded.changed_at
            """)
        // The person has left meanwhile.
        guard count == 1 else { throw Refusal.notFound }
    }

    func get(_ account: UUID) async throws -> Picture? {
        let sealed = try await store.database.queryOne(
            "select content from picture where account = \(account)", as: [UInt8].self)
        guard let sealed else { return nil }
        let key = try await store.key(of: account)
        guard let picture = Picture(stored: try store.columns.openBytes(sealed, .picture, row: account, with: key))
        else {
            throw StoredValueError(column: "picture.content")
        }
        return picture
    }

    /// Removes the picture; where there is none, that is well.
    func remove(_ account: UUID) async throws {
        try await store.database.execute("delete from picture where account = \(account)")
    }
}
