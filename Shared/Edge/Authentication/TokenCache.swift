import Primitives
import Reactor
import Security
import Synchronization

/// Tokens that have been checked, by the SHA-256 of their text, until they expire or the key that they were signed with is
/// no longer among the published ones. Two generations of at most `entriesMax` each: when the young one is full, the old
/// one goes, which keeps what is in use without a list of uses.
final class TokenCache: Sendable {
    /// The 32 bytes of a hash.
    struct Key: Hashable, Sendable {
        private let words: (UInt64, UInt64, UInt64, UInt64)

        init(_ token: String) {
            let digest = Digest.sha256(Array(token.utf8))
            func word(_ index: Int) -> UInt64 {
                digest[(index * 8)..<(index * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) }
            }
            words = (word(0), word(1), word(2), word(3))
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
    }

    private let entriesMax: Int
    private let state = Mutex(State())

    init(entriesMax: Int) {
        self.entriesMax = max(1, entriesMax)
    }

    /// The identity of a checked token; `nil` when the token has to be checked (again).
    func identity(_ key: Key, signedByOneOf keys: JSONWebKeySet, at now: Timestamp) -> Identity? {
        state.withLock { state in
            let isYoung = state.young[key] != nil
            guard let found = state.young[key] ?? state.old[key], now < found.identity.expiresAt,
                !found.end.hasPassed, keys.contains(found.signedBy)
            else { return nil }
            if !isYoung { Self.insert(found, key, entriesMax, &state) }
            return found.identity
        }
    }

    func insert(_ identity: Identity, _ key: Key, signedBy: Ed25519PublicKey, at now: Timestamp) {
        let entry = Entry(identity: identity, signedBy: signedBy, end: .after(identity.expiresAt - now))
        state.withLock { Self.insert(entry, key, entriesMax, &$0) }
    }

    private static func insert(_ entry: Entry, _ key: Key, _ entriesMax: Int, _ state: inout State) {
        if state.young.count >= entriesMax {
            state.old = state.young
            state.young = [:]
        }
        state.young[key] = entry
    }

    var count: Int { state.withLock { $0.young.count + $0.old.count } }
}
