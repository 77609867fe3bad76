import Primitives
import Reactor
import Security
import Synchronization

/// Tokens that have been checked, by the SHA-256 of their text, until they expire or the key that they were signed with is
/// no longer among the published ones. Two generations of at most `entriesMax` each: when the young one is full, or its
/// time is over, the old one goes, which keeps what is in use without a list of uses, and room for a million devices from
/// filling up with tokens that nobody sends any more. About 400 bytes each.
final class TokenCache: Sendable {
    /// The 32 bytes of a hash.
    struct Key: Hashable, Sendable {
        private let words: (UInt64, UInt64, UInt64, UInt64)

        init(_ token: String) {
            let digest = Digest.sha256(Array(token.utf8))
            words = digest.withUnsafeBytes { bytes in
                func word(_ index: Int) -> UInt64 {
                    bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
                }
                return (word(0), word(1), word(2), word(3))
            }
        }

        static func == (left: Key, right: Key) -> Bool { left.words == right.words }
        // A cryptographic hash needs no second hashing to be spread; all four words are compared.
        func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
    }

    private struct Entry {
        let identity: Identity
        let signedBy: Ed25519PublicKey
        /// The token's end by the monotonic clock: a wall clock that is set back prolongs nothing.
        let end: Deadline
    }

    private struct State {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        /// When the young generation gets old.
        var end: Deadline
        /// Nearly all tokens have one of a few sets: they share it.
        var scopes: [Set<String>] = []

        mutating func turn(_ generationTime: Duration) {
            old = young
            young = [:]
            end = .after(generationTime)
        }
    }

    /// Two generations outlive a token (15 min).
    static let generationTime = Duration.seconds(600)
    private static let scopesMax = 16

    private let entriesMax: Int
    private let generationTime: Duration
    private let state: Mutex<State>

    init(entriesMax: Int, generationTime: Duration = TokenCache.generationTime) {
        self.entriesMax = max(1, entriesMax)
        self.generationTime = generationTime
        state = Mutex(State(end: .after(generationTime)))
    }

    /// The identity of a checked token; `nil` when the token has to be checked (again).
    func identity(_ key: Key, signedByOneOf keys: JSONWebKeySet, at now: Timestamp) -> Identity? {
        let present = Deadline.now()
        return state.withLock { state in
            if present >= state.end { state.turn(generationTime) }
            let young = state.young[key]
            guard let found = young ?? state.old[key], now < found.identity.expiresAt, present < found.end,
                keys.contains(found.signedBy)
            else { return nil }
            if young == nil { insert(found, key, &state) }
            return found.identity
        }
    }

    func insert(_ identity: Identity, _ key: Key, signedBy: Ed25519PublicKey, at now: Timestamp) {
        let end = Deadline.after(identity.expiresAt - now)
        state.withLock { state in
            let scopes = state.scopes.first { $0 == identity.scopes } ?? identity.scopes
            if state.scopes.count < Self.scopesMax, !state.scopes.contains(scopes) { state.scopes.append(scopes) }
            let shared = Identity(
                account: identity.account, kind: identity.kind, scopes: scopes, session: identity.session,
                client: identity.client, issuedAt: identity.issuedAt, expiresAt: identity.expiresAt)
            insert(Entry(identity: shared, signedBy: signedBy, end: end), key, &state)
        }
    }

    private func insert(_ entry: Entry, _ key: Key, _ state: inout State) {
        if state.young.count >= entriesMax { state.turn(generationTime) }
        state.old[key] = nil
        state.young[key] = entry
    }

    var count: Int { state.withLock { $0.young.count + $0.old.count } }
}
