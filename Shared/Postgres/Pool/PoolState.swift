internal import Reactor

/// The bookkeeping of one loop's pool: which connections there are and which callers wait, without I/O and without a
/// clock. Every call returns what is to be done. Times are nanoseconds of one monotonic clock.
struct PoolState<Connection> {
    struct Limits: Sendable {
        var connectionsMax: Int
        var waitersMax: Int
        var idleNanoseconds: UInt64
        var lifetimeNanoseconds: UInt64
        var reconnect: BackOff
    }

    /// A connection with its times; a lease holds it, and gives it back.
    struct Entry {
        let connection: Connection
        let expires: UInt64
        /// When it began to be opened.
        fileprivate let begun: UInt64
        fileprivate(set) var idleSince: UInt64
    }

    enum Lease {
        case ready(Entry)
        /// The caller waits under this number.
        case wait(Int)
        case overloaded
        case closed
    }

    enum Returned {
        case granted(waiter: Int, Entry)
        case parked
        case close(Entry)
    }

    /// Whether to connect: at once, or not before a time.
    enum Growth: Equatable {
        case none
        case now
        case at(UInt64)
    }

    let limits: Limits
    /// Oldest first; the newest is used first, so that those not needed grow old.
    private var idle: [Entry] = []
    private(set) var waiters: [Int] = []
    private var leased = 0
    private var opening = 0
    private var failures = 0
    private var pausedUntil: UInt64 = 0
    private var lastWaiter = 0
    /// Connections that began to be opened before are used no more.
    private var validSince: UInt64 = 0
    private(set) var isClosed = false

    init(limits: Limits) {
        self.limits = limits
    }

    /// Connections open or being opened.
    var count: Int { idle.count + leased + opening }
    var leasedCount: Int { leased }
    var openingCount: Int { opening }
    /// Attempts to connect that have failed since the last that succeeded.
    var failureCount: Int { failures }

    /// No connection is open, and none can be opened: waiting for one that is given back is in vain.
    var isCutOff: Bool { failures > 0 && leased == 0 && idle.isEmpty }

    /// A caller wants a connection. After `wait`, ask `growth`.
    mutating func lease() -> Lease {
        if isClosed { return .closed }
        if waiters.isEmpty, let entry = idle.popLast() {
            leased += 1
            return .ready(entry)
        }
        guard waiters.count < limits.waitersMax else { return .overloaded }
        lastWaiter += 1
        waiters.append(lastWaiter)
        return .wait(lastWaiter)
    }

    /// Whether one more connection is wanted now; `now` counts as being opened from here on.
    mutating func growth(now: UInt64) -> Growth {
        guard !isClosed, opening < waiters.count, count < limits.connectionsMax else { return .none }
        guard now >= pausedUntil else { return .at(pausedUntil) }
        // After a failure one attempt at a time shows whether the server is back.
        guard failures == 0 || opening == 0 else { return .none }
        opening += 1
        return .now
    }

    /// A connection was opened, from the time `begun` on. `jitter` is from 0 up to 1.
    mutating func opened(_ connection: Connection, begun: UInt64? = nil, now: UInt64, jitter: Double) -> Returned {
        opening -= 1
        failures = 0
        pausedUntil = 0
        let lifetime = Double(limits.lifetimeNanoseconds) * (1 - jitter / 10)
        let entry = Entry(connection: connection, expires: now &+ UInt64(lifetime), begun: begun ?? now, idleSince: now)
        leased += 1
        return giveBack(entry, isUsable: true, now: now)
    }

    /// How an attempt to connect failed.
    enum OpenFailure {
        /// Nobody answered, or a server that is starting: soon it may be back.
        case unreachable
        /// The server has no room at the moment.
        case refused
        /// The server refuses until somebody changes something.
        case final
    }

    /// An attempt to connect failed. When the failure is final, returns the waiters, who are to be told; otherwise they
    /// go on waiting.
    mutating func openFailed(_ failure: OpenFailure, now: UInt64, jitter: Double) -> [Int] {
        opening -= 1
        failures += 1
        var pauses = limits.reconnect
        if failure != .unreachable { pauses.max = pauses.max * 8 }
        pausedUntil = now &+ pauses.delay(afterFailures: failures, random: jitter).nanoseconds
        guard failure == .final else { return [] }
        defer { waiters = [] }
        return waiters
    }

    /// A lease ends. Ask `growth` afterwards unless it was parked.
    mutating func giveBack(_ entry: Entry, isUsable: Bool, now: UInt64) -> Returned {
        guard isUsable, !isClosed, now < entry.expires, entry.begun >= validSince else {
            leased -= 1
            return .close(entry)
        }
        if !waiters.isEmpty { return .granted(waiter: waiters.removeFirst(), entry) }
        leased -= 1
        var entry = entry
        entry.idleSince = now
        idle.append(entry)
        return .parked
    }

    /// A caller no longer waits. False when a connection was granted already: then it has to be given back.
    mutating func waiterLeft(_ waiter: Int) -> Bool {
        guard let index = waiters.firstIndex(of: waiter) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Removes connections that have been idle for too long, are too old, or are not `isUsable` any more.
    mutating func sweep(now: UInt64, isUsable: (Connection) -> Bool) -> [Entry] {
        var closing: [Entry] = []
        idle.removeAll { entry in
            let isOver = now >= entry.expires || now - entry.idleSince >= limits.idleNanoseconds
            guard isOver || !isUsable(entry.connection) else { return false }
            closing.append(entry)
            return true
        }
        return closing
    }

    /// Connections of before lead somewhere else: the idle ones are to be closed, leased ones are closed when they come back, and
    /// new ones may be opened at once. Ask `growth` afterwards.
    mutating func retire(now: UInt64) -> [Entry] {
        validSince = now
        (failures, pausedUntil) = (0, 0)
        defer { idle = [] }
        return idle
    }

    /// No more leases. Idle connections are to be closed and waiters to be told; leased ones are closed when they come
    /// back.
    mutating func close() -> (idle: [Entry], waiters: [Int]) {
        isClosed = true
        defer {
            idle = []
            waiters = []
        }
        return (idle, waiters)
    }
}
