import JSON
public import Postgres
import Primitives
import Reactor
import Security
import Synchronization

/// What of `TokenTrust` is in the database.
struct StoredTrust {
    /// When, and which keys were stored last.
    var at: Deadline?
    var keys: JSONWebKeySet?
}

/// The part of `TokenTrust` that survives a restart, in the service's own schema: what checks tokens (public keys, the time
/// at which accounts was heard) and the ids of what was revoked. Replicas share the rows, and write the same.
extension TokenTrust {
    /// For one of the service's migrations.
    public static let tableSQL = """
        create table token_trust (
          only_row boolean constraint token_trust_key primary key default true,
          key_set text not null,
          heard_at timestamptz not null,
          constraint token_trust_only_row check (only_row));
        comment on table token_trust is 'what checks access tokens while accounts cannot be reached, also after a restart';
        comment on column token_trust.key_set is 'public keys (RFC 7517)';
        comment on column token_trust.heard_at is
          'when accounts was heard last, by the service''s clock: tokens that have ended are not judged by an earlier time';

        create table token_revocation (
          id uuid not null,
          kind text not null constraint token_revocation_kind check (kind in ('session', 'account')),
          revoked_at timestamptz not null,
          kept_until timestamptz not null,
          constraint token_revocation_key primary key (kind, id));
        comment on table token_revocation is 'revoked devices and accounts whose tokens might serve while accounts is away';
        comment on column token_revocation.kept_until is 'by the clock of this database';
        create index token_revocation_kept on token_revocation (kept_until);

        """

    /// How often `keep` is to be called.
    public static let interval = Duration.seconds(1)
    private static let storedMax = Duration.seconds(10)
    private static let pageMax = 1000

    /// Reads what was kept before the process started. Call before the service serves.
    public func restore(from database: Database) async throws {
        let rows = try await database.query(
            "select key_set, heard_at from token_trust", as: String.self, Timestamp.self)
        if let (text, heardAt) = rows.first {
            keys.restore(try JSONDecoder().decode(JSONWebKeySet.self, from: Array(text.utf8)))
            restore(heardAt: heardAt)
        }
        var last = UUID(high: 0, low: 0)
        while true {
            let page = try await database.query(
                """
                select id, kind, revoked_at, extract(epoch from kept_until - clock_timestamp())::float8
                from token_revocation where id > \(last) order by id limit \(raw: String(Self.pageMax))
                """, as: UUID.self, String.self, Timestamp.self, Double.self)
            for (id, kind, revokedAt, seconds) in page where seconds > 0 {
                let left = min(Revocations.lastingLife, .milliseconds(Int64(seconds * 1000)))
                revocations.restore(kind == "account" ? .account(id) : .session(id), revokedAt: revokedAt, left: left)
            }
            guard page.count == Self.pageMax, let next = page.last?.0 else { return }
            last = next
        }
    }

    /// Keeps what has changed since the last call.
    public func keep(in database: Database) async throws {
        let heardAt = note()
        let news = revocations.lastingNews(max: Self.pageMax)
        var statements: [SQL] = []
        if !news.isEmpty {
            statements.append(
                """
                insert into token_revocation (id, kind, revoked_at, kept_until)
                select r.id, r.kind, max(r.revoked_at), clock_timestamp() + make_interval(secs => \(Self.keptSeconds))
                from unnest(\(news.map(\.subject.id)), \(news.map(\.subject.kind)), \(news.map(\.revokedAt)))
                  as r (id, kind, revoked_at)
                group by r.id, r.kind order by r.kind, r.id
                on conflict on constraint token_revocation_key do update
                set revoked_at = greatest(token_revocation.revoked_at, excluded.revoked_at), kept_until = excluded.kept_until
                """)
        }
        let known = keys.published
        let isDue = stored.withLock { $0.keys != known || $0.at?.advanced(by: Self.storedMax).hasPassed ?? true }
        if let heardAt, let known, isDue {
            let text = String(decoding: try JSONEncoder().encode(known), as: UTF8.self)
            statements += [
                """
                insert into token_trust (key_set, heard_at) values (\(text), \(heardAt))
                on conflict on constraint token_trust_key do update
                set key_set = excluded.key_set, heard_at = excluded.heard_at
                """,
                "delete from token_revocation where kept_until < clock_timestamp()",
            ]
        }
        guard !statements.isEmpty else { return }
        try await database.batch(statements)
        revocations.kept(news)
        if heardAt != nil, known != nil, isDue { stored.withLock { $0 = StoredTrust(at: .now(), keys: known) } }
    }

    private static var keptSeconds: Double { Double(Revocations.lastingLife.components.seconds) }
}

extension Revocations.Subject {
    fileprivate var id: UUID {
        switch self {
        case .account(let id), .session(let id): id
        }
    }

    fileprivate var kind: String {
        switch self {
        case .account: "account"
        case .session: "session"
        }
    }
}
