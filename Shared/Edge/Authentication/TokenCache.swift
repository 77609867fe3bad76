import Primitives
import Reactor
import Security
import Synchronization

/// Tokens that have been checked, by the SHA-256 of their text, until they expire or the key that they were signed with is
/// no longer among the published ones. At most `entriesMax`, about 400 bytes each. When it is full of tokens that are
/// still good, new ones are not kept: with a list of last uses, people who send in turn would push each other out and
/// none would be found; this way as many are found as there is room for. In parts, each with a lock of its own: a
/// dictionary of a million stops everybody for 0.1 s when it grows.
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
        func part(of count: Int) -> Int { Int(words.1 % UInt64(count)) }
    }

    private struct Entry {
        let identity: Identity
        let signedBy: Ed25519PublicKey
        /// The token's end by the monotonic clock: a wall clock that is set back prolongs nothing.
        let end: Deadline
    }

    private struct Part {
        var entries: [Key: Entry] = [:]
        /// All keys of `entries` from `first` on, in the order they came, which is about that of their ends: what has
        /// ended is found here. Before `first` lies what has been taken.
        var queue: [Key] = []
        var first = 0
        /// Nearly all tokens have one of a few sets: they share it.
        var scopes: [Set<String>] = []

        /// Removes up to two entries that have ended, so that a cache once full empties as others come.
        mutating func removeEnded(at present: Deadline) {
            for _ in 0..<2 where first < queue.count {
                guard let entry = entries[queue[first]], entry.end <= present else { break }
                entries[queue[first]] = nil
                first += 1
            }
            // Each key is moved once for each that was taken, at most.
            if first > 64, first > queue.count / 2 {
                queue.removeFirst(first)
                first = 0
            }
        }
    }

    private static let scopesMax = 16

    private final class LockedPart: Sendable {
        let content = Mutex(Part())
    }

    private let partEntriesMax: Int
    private let parts: [LockedPart]

    init(entriesMax: Int, parts count: Int = 64) {
        partEntriesMax = max(1, entriesMax / count)
        parts = (0..<count).map { _ in LockedPart() }
    }

    /// The identity of a checked token; `nil` when the token has to be checked (again).
    func identity(_ key: Key, signedByOneOf keys: JSONWebKeySet, at now: Timestamp) -> Identity? {
        let present = Deadline.now()
        let entry = parts[key.part(of: parts.count)].content.withLock { $0.entries[key] }
        guard let entry, now < entry.identity.expiresAt, present < entry.end, keys.contains(entry.signedBy)
        else { return nil }
        return entry.identity
    }

    func insert(_ identity: Identity, _ key: Key, signedBy: Ed25519PublicKey, at now: Timestamp) {
        let present = Deadline.now()
        let end = present.advanced(by: identity.expiresAt - now)
        parts[key.part(of: parts.count)].content.withLock { part in
            part.removeEnded(at: present)
            // One that is known may have been signed with a key that was withdrawn.
            if part.entries[key] == nil {
                guard part.entries.count < partEntriesMax else { return }
                part.queue.append(key)
            }
            let scopes = part.scopes.first { $0 == identity.scopes } ?? identity.scopes
            if part.scopes.count < Self.scopesMax, !part.scopes.contains(scopes) { part.scopes.append(scopes) }
            part.entries[key] = Entry(identity: identity.with(scopes: scopes), signedBy: signedBy, end: end)
        }
    }

    var count: Int { parts.reduce(0) { count, part in count + part.content.withLock { $0.entries.count } } }
}
