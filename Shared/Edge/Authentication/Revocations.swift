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
    /// Those of devices and accounts are remembered for longer: no token that they concern serves so long (`TokenTrust`).
    public static let lastingLife = tokenLife + TokenTrust.overdueMax
    /// So many of them.
    public static let lastingMax = 1_000_000
    private static let pruneInterval = Duration.seconds(60)

    /// What can be revoked.
    public enum Subject: Hashable, Sendable {
        /// All tokens of an account up to a time.
        case account(UUID)
        /// All tokens of a session, device or client: their ids get no tokens again.
        case session(UUID)
    }

    fileprivate struct Entry {
        var revokedAt: Timestamp
        var heardAt: Deadline
    }

    /// One that is remembered for longer.
    struct Lasting: Sendable {
        let subject: Subject
        let revokedAt: Timestamp
    }

    fileprivate struct LastingEntry {
        var revokedAt: Timestamp
        var end: Deadline
    }

    fileprivate struct State {
        var revoked: [Subject: Entry] = [:]
        var lasting: [Subject: LastingEntry] = [:]
        /// Heard and not stored yet, the first first.
        var news: [Lasting] = []
        /// Until then there may be some that could not be remembered.
        var forgottenUntil: Deadline?
        var lastHeard: Deadline?
        /// Until then a revocation that was missed may concern a valid token.
        var incompleteUntil: Deadline?
        var prunedAt: Deadline?
    }

    private let state = Mutex(State())

    public init() {}

    /// Adds a revocation of `subject` at `time`, heard at `now`. A repeat has no effect; for an account the later time
    /// holds. With `isLasting`, as of devices and accounts, it is remembered for `lastingLife`.
    public func apply(
        _ subject: Subject, revokedAt time: Timestamp, isLasting: Bool = false, at now: Deadline = .now()
    ) {
        state.withLock { state in
            if state.prunedAt.map({ now.since($0) >= Self.pruneInterval }) ?? true {
                state.revoked = state.revoked.filter { now.since($0.value.heardAt) <= Self.tokenLife }
                state.lasting = state.lasting.filter { now <= $0.value.end }
                state.prunedAt = now
            }
            if isLasting, state.remember(subject, time, until: now.advanced(by: Self.lastingLife)) {
                state.news.append(Lasting(subject: subject, revokedAt: time))
            }
            if let known = state.revoked[subject], known.revokedAt >= time { return }
            guard state.revoked.count < Self.entriesMax || state.revoked[subject] != nil else {
                state.incompleteUntil = now.advanced(by: Self.tokenLife)
                return
            }
            state.revoked[subject] = Entry(revokedAt: time, heardAt: now)
        }
    }

    /// One that was stored before the process started.
    func restore(_ subject: Subject, revokedAt time: Timestamp, left: Duration, at now: Deadline = .now()) {
        state.withLock { _ = $0.remember(subject, time, until: now.advanced(by: left)) }
    }

    /// Those that are to be stored, the oldest.
    func lastingNews(max count: Int) -> [Lasting] { state.withLock { Array($0.news.prefix(count)) } }

    /// Call when the first of the news are stored.
    func kept(_ news: [Lasting]) { state.withLock { $0.news.removeFirst(min($0.news.count, news.count)) } }

    /// Whether all revocations of devices and accounts are remembered that were heard of.
    func remembersLasting(at now: Deadline = .now()) -> Bool {
        state.withLock { $0.forgottenUntil.map { $0 <= now } ?? true }
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
            if state.revoked.isEmpty, state.lasting.isEmpty { return false }
            if let session = identity.session.map({ Subject.session($0) }),
                state.revoked[session] != nil || state.lasting[session] != nil
            {
                return true
            }
            let account = Subject.account(identity.account)
            let times = [state.revoked[account]?.revokedAt, state.lasting[account]?.revokedAt]
            return times.contains { $0.map { identity.issuedAt <= $0 } ?? false }
        }
    }

    public var count: Int { state.withLock { $0.revoked.count } }
}

extension Revocations.State {
    /// False when it is known already, or there is no room.
    fileprivate mutating func remember(
        _ subject: Revocations.Subject, _ time: Timestamp, until end: Deadline
    ) -> Bool {
        if let known = lasting[subject] {
            lasting[subject] = .init(revokedAt: max(known.revokedAt, time), end: max(known.end, end))
            return known.revokedAt < time
        }
        guard lasting.count < Revocations.lastingMax else {
            forgottenUntil = max(forgottenUntil ?? end, end)
            return false
        }
        lasting[subject] = .init(revokedAt: time, end: end)
        return true
    }
}
