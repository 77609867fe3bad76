public import Primitives
public import Reactor
import Synchronization

/// What was revoked, as far as this process has heard. A token is refused when it was issued before its account (or
/// device) or session was revoked.
///
/// The feed `accounts.changes` fills it and says with `heard` that it is up to date. A replica that has heard nothing
/// for more than `silenceMax` refuses third parties and goes on serving everybody else until their tokens expire
/// (ARCHITECTURE, identity and trust).
public final class Revocations: Sendable {
    /// One second.
    public static let silenceMax = Duration.seconds(1)
    /// No token lives longer than this after it was issued, so that a revocation can be forgotten then (15 min, and
    /// room for clocks that differ).
    public static let tokenLife = Duration.seconds(1200)
    /// Revocations kept. With more the view counts as silent, since it no longer holds all.
    public static let entriesMax = 1_000_000

    /// What can be revoked.
    public enum Subject: Hashable, Sendable {
        /// All tokens of an account or device.
        case account(UUID)
        case session(UUID)
    }

    private struct State {
        var revoked: [Subject: Timestamp] = [:]
        var lastHeard: Deadline?
        var isComplete = true
        var pruned: Timestamp = Timestamp(microseconds: 0)
    }

    private let state = Mutex(State())

    public init() {}

    /// Tokens of `subject` that were issued up to `time` count no longer. Twice is as good as once; the later time
    /// holds.
    public func apply(_ subject: Subject, revokedAt time: Timestamp) {
        state.withLock { state in
            if time > state.pruned + .seconds(60) {
                state.revoked = state.revoked.filter { $0.value + Self.tokenLife > time }
                state.pruned = time
                state.isComplete = state.isComplete || state.revoked.count < Self.entriesMax / 2
            }
            if let known = state.revoked[subject], known >= time { return }
            guard state.revoked.count < Self.entriesMax || state.revoked[subject] != nil else {
                state.isComplete = false
                return
            }
            state.revoked[subject] = time
        }
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
            guard let heard = state.lastHeard, state.isComplete else { return true }
            return heard.advanced(by: Self.silenceMax) < now
        }
    }

    /// Whether the identity's token was issued up to the time that its account or session was revoked.
    public func isRevoked(_ identity: Identity) -> Bool {
        state.withLock { state in
            if state.revoked.isEmpty { return false }
            if let time = state.revoked[.account(identity.account)], identity.issuedAt <= time { return true }
            if let session = identity.session, let time = state.revoked[.session(session)], identity.issuedAt <= time {
                return true
            }
            return false
        }
    }

    public var count: Int { state.withLock { $0.revoked.count } }
}
