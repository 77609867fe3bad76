public import Primitives
public import Reactor
import Synchronization

/// The revocations that this process knows. Tokens of a revoked session (device, client) are refused whenever they were
/// issued; those of an account when they were issued before its revocation.
///
/// The reader of the feed `accounts.revocations` adds to it, and calls `heard` when it is up to date. A replica that
/// has heard nothing for more than `silenceMax`, or may have missed something, refuses third parties and serves
/// everybody else until their tokens expire (ARCHITECTURE, identity and trust).
public final class Revocations: Sendable {
    /// One second.
    public static let silenceMax = Duration.seconds(1)
    /// No token lives longer than this after it was issued, so a revocation can be dropped this long after it was heard
    /// (15 min, and room for clocks that differ).
    public static let tokenLife = Duration.seconds(1200)
    /// Revocations kept; further ones count as missed.
    public static let entriesMax = 1_000_000
    private static let pruneInterval = Duration.seconds(60)

    /// What can be revoked.
    public enum Subject: Hashable, Sendable {
        /// All tokens of an account up to a time.
        case account(UUID)
        /// All tokens of a session, device or client: their ids get no tokens again.
        case session(UUID)
    }

    private struct Entry {
        var revokedAt: Timestamp
        var heardAt: Deadline
    }

    private struct State {
        var revoked: [Subject: Entry] = [:]
        var lastHeard: Deadline?
        /// Until then a revocation that was missed may concern a valid token.
        var incompleteUntil: Deadline?
        var prunedAt: Deadline?
    }

    private let state = Mutex(State())

    public init() {}

    /// Adds a revocation of `subject` at `time`, heard at `now`. A repeat has no effect; for an account the later time
    /// holds.
    public func apply(_ subject: Subject, revokedAt time: Timestamp, at now: Deadline = .now()) {
        state.withLock { state in
            if state.prunedAt.map({ now.since($0) >= Self.pruneInterval }) ?? true {
                state.revoked = state.revoked.filter { now.since($0.value.heardAt) <= Self.tokenLife }
                state.prunedAt = now
            }
            if let known = state.revoked[subject], known.revokedAt >= time { return }
            guard state.revoked.count < Self.entriesMax || state.revoked[subject] != nil else {
                state.incompleteUntil = now.advanced(by: Self.tokenLife)
                return
            }
            state.revoked[subject] = Entry(revokedAt: time, heardAt: now)
        }
    }

    /// Call when a revocation was missed: third parties are refused until no token of that time is valid.
    public func missed(at now: Deadline = .now()) {
        state.withLock { $0.incompleteUntil = now.advanced(by: Self.tokenLife) }
    }

    /// Call when the feed has been read to its end, at `time`.
    public func heard(at time: Deadline = .now()) {
        state.withLock { $0.lastHeard = max($0.lastHeard ?? time, time) }
    }

    /// When the feed was last read to its end; `nil` before the first time.
    public var lastHeard: Deadline? { state.withLock { $0.lastHeard } }

    /// Whether there may be revocations that are not known here.
    public func isSilent(at now: Deadline = .now()) -> Bool {
        state.withLock { state in
            if let until = state.incompleteUntil, now < until { return true }
            guard let heard = state.lastHeard else { return true }
            return heard.advanced(by: Self.silenceMax) < now
        }
    }

    /// Whether the identity's session was revoked, or its account after the token was issued.
    public func isRevoked(_ identity: Identity) -> Bool {
        state.withLock { state in
            if state.revoked.isEmpty { return false }
            if let session = identity.session, state.revoked[.session(session)] != nil { return true }
            guard let entry = state.revoked[.account(identity.account)] else { return false }
            return identity.issuedAt <= entry.revokedAt
        }
    }

    public var count: Int { state.withLock { $0.revoked.count } }
}
