import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import Synchronization
import Telemetry

/// The keys of access tokens (ACC-16): those in this replica's files, and those of all replicas, which are published.
/// The replicas exchange them through the table `signing_key`.
///
/// A new key is published as soon as one replica has it, and signs `lead` later, when everybody else has fetched it. A
/// key that no replica has any more stays published until its last token has expired. So replicas may get new files one
/// after the other, in any order. A withdrawn key signs nothing and is not published from the next round on.
///
/// Times are the database's, so that replicas agree whatever their clocks say.
final class SigningKeys: KeySource {
    /// Interval of rounds.
    static let interval = Duration.seconds(10)
    /// From a key's publication to its first use: longer than anybody caches what is published (`TokenRoutes`).
    static let lead = Duration.seconds(600)
    /// How long a key stays published after a replica last reported it: as long as its tokens live, and rounds may
    /// fail.
    static let publishedAfter = Revocations.tokenLife
    /// A replica whose last report of its keys is older signs nothing: its tokens would outlive the published key.
    static let silenceMax = publishedAfter - TokenClaims.lifeMax - .seconds(60)

    private struct State {
        var ring: SigningKeyRing
        var signer: TokenSigner?
        var published = JSONWebKeySet([])
        /// The beginning of the last round that succeeded.
        var toldAt: Deadline?
        var triedAt: Deadline?
    }

    private let load: @Sendable () throws(SecurityError) -> SigningKeyRing
    private let store: Store
    private let log: Log
    private let pause: Duration
    private let state: Mutex<State>

    /// `load` reads the files. A round has to follow before the first token. `pause` is the least time between rounds
    /// that tokens of unknown keys cause.
    init(
        store: Store, log: Log, pause: Duration = .seconds(1),
        load: @escaping @Sendable () throws(SecurityError) -> SigningKeyRing
    ) throws(SecurityError) {
        self.store = store
        self.log = log
        self.pause = pause
        self.load = load
        state = Mutex(State(ring: try load()))
    }

    /// The keys that check the tokens of all replicas.
    var published: JSONWebKeySet { state.withLock { $0.published } }

    func keys() async throws(RPCError) -> JSONWebKeySet { published }

    /// Reads the published keys again, for a token whose key is unknown here: another replica may have published it.
    func keysAnew() async throws(RPCError) -> JSONWebKeySet {
        // One round for all who ask at the same time.
        let isDue = state.withLock { state in
            guard state.triedAt.map({ $0.advanced(by: pause).hasPassed }) ?? true else { return false }
            state.triedAt = .now()
            return true
        }
        guard isDue else { return published }
        do { try await update() } catch { throw RPCError(.unavailable, "The keys cannot be read at the moment.") }
        return published
    }

    /// Signs with a key that everybody has fetched by now. Throws `keys-unavailable` when there is none.
    func sign(_ claims: TokenClaims) throws -> String {
        let signer = state.withLock { state -> TokenSigner? in
            guard let toldAt = state.toldAt, Deadline.now().since(toldAt) <= Self.silenceMax else { return nil }
            return state.signer
        }
        guard let signer else {
            throw Refusal(
                .overloaded, "keys-unavailable", "No tokens can be made at the moment.", retryAfter: .seconds(10))
        }
        return try signer.sign(claims)
    }

    /// Reads the files again.
    func reload() async throws {
        let ring = try load()
        state.withLock { $0.ring = ring }
        try await update()
    }

    /// One round: reports this replica's keys and reads those of the others.
    func update() async throws {
        let begin = Deadline.now()
        let ring = state.withLock { state in
            state.triedAt = begin
            return state.ring
        }
        let known = try await exchange(ring.keys.map(\.publicKey))
        let usable = ring.keys.filter { key in
            known.contains { $0.key == key.publicKey && !$0.isWithdrawn }
        }
        let signer = try Self.choose(from: usable, current: ring.current, known).map(TokenSigner.init(key:))
        state.withLock { state in
            state.published = JSONWebKeySet(known.filter { !$0.isWithdrawn }.map(\.key))
            state.signer = signer
            state.toldAt = begin
        }
    }

    /// Published keys and withdrawn ones.
    struct Known: Sendable {
        let key: Ed25519PublicKey
        let isWithdrawn: Bool
        /// Whether everybody has had time to fetch it.
        let isEstablished: Bool
    }

    /// The current key once it is established, otherwise another one that is. Without any, the current key: a service
    /// that does not know it fetches the keys again.
    private static func choose(
        from usable: [Ed25519Key], current: Ed25519Key, _ known: [Known]
    ) -> Ed25519Key? {
        let established = usable.filter { key in known.contains { $0.key == key.publicKey && $0.isEstablished } }
        func preferred(_ keys: [Ed25519Key]) -> Ed25519Key? {
            keys.first { $0.publicKey == current.publicKey } ?? keys.first
        }
        return preferred(established) ?? preferred(usable)
    }

    private func exchange(_ own: [Ed25519PublicKey]) async throws -> [Known] {
        let results = try await store.database.runBatch(
            [
                """
                insert into signing_key (id, public_key, proof)
                select * from unnest(\(own.map(\.thumbprint)), \(own.map(\.bytes)), \(own.map { proof(of: $0) })) k
                order by 1
                on conflict on constraint signing_key_key do update set seen_at = now()
                """,
                """
                select public_key, proof, withdrawn_at is not null, published_at <= now() - \(sql: Self.lead.interval)
                from signing_key where withdrawn_at is not null or seen_at > now() - \(sql: Self.publishedAfter.interval)
                order by published_at, id
                """,
            ], deadline: nil)
        guard let rows = results.last else { return [] }
        var known: [Known] = []
        for (bytes, proof, isWithdrawn, isEstablished) in try rows.decode(
            as: [UInt8].self, [UInt8].self, Bool.self, Bool.self)
        {
            let key = try Ed25519PublicKey(bytes)
            guard constantTimeEqual(proof, self.proof(of: key)) else {
                log.error("a signing key in the database is not from this service", ["id": .string(key.thumbprint)])
                continue
            }
            known.append(Known(key: key, isWithdrawn: isWithdrawn, isEstablished: isEstablished))
        }
        return known
    }

    private func proof(of key: Ed25519PublicKey) -> [UInt8] { store.columns.index(key) }

    // MARK: For operators

    struct Listed: Sendable {
        let id: String
        let publishedAt: Timestamp
        let seenAt: Timestamp
        let isWithdrawn: Bool
    }

    static func list(_ database: Database) async throws(PostgresError) -> [Listed] {
        try await database.query(
            "select id, published_at, seen_at, withdrawn_at is not null from signing_key order by published_at, id",
            as: String.self, Timestamp.self, Timestamp.self, Bool.self
        ).map { Listed(id: $0.0, publishedAt: $0.1, seenAt: $0.2, isWithdrawn: $0.3) }
    }

    /// Withdraws a key for ever, in all replicas from their next round on. Returns whether there is such a key.
    static func withdraw(_ id: String, _ database: Database) async throws(PostgresError) -> Bool {
        try await database.execute(
            "update signing_key set withdrawn_at = coalesce(withdrawn_at, now()) where id = \(id)") == 1
    }

    /// Deletes keys that no replica has reported for so long that their tokens have expired. Withdrawn ones stay, since
    /// a file may still hold them.
    static func forget() -> SQL {
        "delete from signing_key where withdrawn_at is null and seen_at < now() - \(sql: publishedAfter.interval)"
    }
}

extension Duration {
    /// As an interval of SQL.
    fileprivate var interval: SQL { "interval '1 millisecond' * \(milliseconds)" }
}
