public import Primitives
public import Reactor
import Synchronization

/// What was revoked, as far as this process has heard. Tokens of a session (device, client) that was revoked are refused
/// whenever they were issued; those of an account when they were issued before it was revoked.
///
/// The feed `accounts.revocations` fills it and says with `heard` that it is up to date. A replica that has heard nothing
/// for more than `silenceMax`, or may have missed something, refuses third parties and goes on serving everybody else
/// until their tokens expire (ARCHITECTURE, identity and trust).
public final class Revocations: Sendable {
    /// One second.
    public static let silenceMax = Duration.seconds(1)
    /// No token lives longer than this after it was issued, so that a revocation can be forgotten so long after it was
    /// heard of (15 min, and room for clocks that differ).
    public static let tokenLife = Duration.seconds(1200)
    /// Revocations kept. What comes beyond counts as missed.
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
        /// Until what was missed concerns no token that is still good.
        var incompleteUntil: Deadline?
        var prunedAt: Deadline?
    }

    private let state = Mutex(State())

    public init() {}

    /// Notes that `subject` was revoked at `time`, as heard at `now`. Twice is as good as once; of an account the later
    /// time holds.
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

    /// Something was revoked, and it is not known what: third parties are refused until no token of that time is good.
    public func missed(at now: Deadline = .now()) {
        state.withLock { $0.incompleteUntil = now.advanced(by: Self.tokenLife) }
    }

    /// The feed has been read to its end, at `time`.
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
