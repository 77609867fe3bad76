internal import Reactor
internal import Glibc
internal import JSON
internal import Telemetry

/// The connections of one loop: runs what `PoolState` decides. Confined to the loop.
final class ConnectionPool {
    typealias State = PoolState<Connection>

    /// A caller that waits for a connection.
    private final class Waiter {
        let granted = EventCounter()
        /// Is for a request, and has waited for `unreachableTime`.
        var isImpatient = false
        var outcome: Result<State.Entry, PostgresError>?
    }

    let loop: EventLoop
    private(set) var configuration: DatabaseConfiguration
    var connectionInfo: String {
        get { configuration.connectionInfo }
        set { configuration.connectionInfo = newValue }
    }
    private(set) var state: State
    private let metrics: PoolMetrics
    private var waiters: [Int: Waiter] = [:]
    private var sweeper: Task<Void, Never>?
    private var isGrowthTimed = false
    private var lastFailure: PostgresError?
    /// When the attempt to connect began that has gone on longest.
    private var attemptBegan: Deadline?
    /// Raised when a lease ends after `close()`.
    private let returned = EventCounter()

    init(_ configuration: DatabaseConfiguration, loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
        metrics = PoolMetrics(configuration)
        state = State(
            limits: .init(
                connectionsMax: max(1, configuration.connectionsPerLoopMax),
                waitersMax: configuration.waitersPerLoopMax,
                idleNanoseconds: configuration.idleTime.nanoseconds,
                lifetimeNanoseconds: configuration.lifetime.nanoseconds,
                reconnect: configuration.reconnect))
    }

    /// A connection for the caller alone until `giveBack`. Errors: `overloaded`, `timedOut`, `cancelled`, `closed`; while the
    /// server cannot be reached, `connection` after the deadline, or for a request after `unreachableTime`.
    func lease(deadline: Deadline) async throws(PostgresError) -> State.Entry {
        for _ in 0...configuration.connectionsPerLoopMax {
            switch state.lease() {
            case .closed: throw .closed
            case .overloaded:
                metrics.overloads.increment()
                throw .overloaded
            case .ready(let entry):
                if isUsable(entry) { return entry }
                drop(entry)
            case .wait(let number):
                return try await wait(number, deadline: deadline)
            }
        }
        // Unreachable in practice: every idle connection was found dead, and none can be opened in between.
        throw .connection(detail: "no usable connection")
    }

    /// Whether the connection is alive. One that was given back less than a millisecond ago is not checked.
    private func isUsable(_ entry: State.Entry) -> Bool {
        let now = monotonicNanoseconds()
        if now >= entry.expires { return false }
        return now - entry.idleSince < 1_000_000 || entry.connection.isQuiet
    }

    /// Ends a lease. A connection that is not idle (a transaction left open by hand, say) is closed.
    func giveBack(_ entry: State.Entry) {
        settle(state.giveBack(entry, isUsable: entry.connection.isIdle, now: monotonicNanoseconds()))
    }

    private func drop(_ entry: State.Entry) {
        settle(state.giveBack(entry, isUsable: false, now: monotonicNanoseconds()))
    }

    private func settle(_ outcome: State.Returned) {
        switch outcome {
        case .parked: break
        case .granted(let waiter, let entry): finish(waiter, .success(entry))
        case .close(let entry):
            entry.connection.close()
            if state.isClosed { returned.raise() }
            grow()
        }
    }

    private func finish(_ number: Int, _ outcome: Result<State.Entry, PostgresError>) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        waiter.outcome = outcome
        waiter.granted.raise()
    }

    private func wait(_ number: Int, deadline: Deadline) async throws(PostgresError) -> State.Entry {
        let waiter = Waiter()
        waiters[number] = waiter
        let began = Deadline.now()
        metrics.waiting.add(1)
        defer {
            metrics.waiting.add(-1)
            metrics.waitTime.observe(Deadline.now().since(began))
        }
        startSweeper()
        grow()
        // Work that no request waits for is better served by the server's return.
        if RequestScope.current.map({ $0.deadline < .never }) == true {
            let patience = began.advanced(by: configuration.unreachableTime)
            _ = await waiter.granted.wait(after: 0, deadline: min(deadline, patience))
            waiter.isImpatient = true
        }
        if waiter.outcome == nil, !(waiter.isImpatient && isCutOff) {
            _ = await waiter.granted.wait(after: 0, deadline: deadline)
        }
        if let outcome = waiter.outcome { return try outcome.get() }
        waiters[number] = nil
        _ = state.waiterLeft(number)
        if Task.isCancelled { throw .cancelled }
        // While the server cannot be reached, that is the reason to tell.
        if state.failureCount > 0, let lastFailure { throw lastFailure }
        throw isCutOff ? .connection(detail: "the server does not answer") : .timedOut
    }

    // MARK: Connecting

    private func grow() {
        while true {
            switch state.growth(now: monotonicNanoseconds()) {
            case .none: return
            case .now: open()
            case .at(let time):
                guard !isGrowthTimed else { return }
                isGrowthTimed = true
                let pool = Confined(self, to: loop)
                let pause = Int64(clamping: time &- min(time, monotonicNanoseconds()))
                _ = loop.schedule(at: .after(.nanoseconds(pause))) {
                    pool.value.isGrowthTimed = false
                    pool.value.grow()
                }
                return
            }
        }
    }

    private func open() {
        let pool = Confined(self, to: loop)
        loop.task { await pool.value.openOne() }
    }

    /// No connection is open, and none can be opened, or the attempt takes far longer than one that succeeds.
    private var isCutOff: Bool {
        guard !state.isCutOff else { return true }
        let isSlow = attemptBegan.map { $0.advanced(by: configuration.unreachableTime / 2).hasPassed } ?? false
        return isSlow && state.count == state.openingCount
    }

    private func openOne() async {
        let begun = monotonicNanoseconds()
        attemptBegan = attemptBegan ?? .now()
        defer { attemptBegan = state.openingCount > 0 ? .now() : nil }
        do throws(PostgresError) {
            let connection = try await Connection.open(configuration)
            if lastFailure != nil { metrics.connectedAgain() }
            lastFailure = nil
            settle(state.opened(connection, begun: begun, now: monotonicNanoseconds(), jitter: .random(in: 0..<1)))
        } catch {
            metrics.connectFailed(error, isFirst: lastFailure == nil)
            lastFailure = error
            let failure: State.OpenFailure =
                switch error {
                case .server(let server) where server.sqlState.refusesConnections: .final
                case .server(let server) where server.sqlState != .cannotConnectNow: .refused
                case .usage: .final
                default: .unreachable
                }
            let told = state.openFailed(failure, now: monotonicNanoseconds(), jitter: .random(in: 0..<1))
            for waiter in told { finish(waiter, .failure(error)) }
            giveUp(error)
        }
        if state.isClosed { returned.raise() }
        grow()
    }

    /// Tells those who have waited long enough for a server that cannot be reached.
    private func giveUp(_ error: PostgresError) {
        guard isCutOff else { return }
        for number in waiters.filter({ $0.value.isImpatient }).keys where state.waiterLeft(number) {
            finish(number, .failure(error))
        }
    }

    // MARK: Sweeping and closing

    /// Looks for idle connections that are old or dead, while there are any.
    private func startSweeper() {
        guard sweeper == nil, !state.isClosed else { return }
        let pool = Confined(self, to: loop)
        let pause = min(max(configuration.idleTime / 4, .milliseconds(100)), .seconds(5))
        sweeper = loop.task {
            while await pool.value.sweep(after: pause) {}
        }
    }

    private func sweep(after pause: Duration) async -> Bool {
        do { try await loop.sleep(for: pause) } catch { return false }
        for entry in state.sweep(now: monotonicNanoseconds(), isUsable: { $0.isQuiet }) { entry.connection.close() }
        guard !state.isClosed, state.count > 0 || !waiters.isEmpty else {
            sweeper = nil
            return false
        }
        return true
    }

    /// Leads new leases elsewhere.
    func lead(to connectionInfo: String) {
        self.connectionInfo = connectionInfo
        for entry in state.retire(now: monotonicNanoseconds()) { entry.connection.close() }
        grow()
    }

    /// Refuses new callers, tells those that wait, and waits for the leases to end, until `deadline`.
    func close(deadline: Deadline) async {
        sweeper?.cancel()
        let (idle, waiting) = state.close()
        for entry in idle { entry.connection.close() }
        for waiter in waiting { finish(waiter, .failure(.closed)) }
        while state.leasedCount + state.openingCount > 0, !deadline.hasPassed, !Task.isCancelled {
            _ = await returned.wait(after: returned.value, deadline: deadline)
        }
    }
}

/// The monotonic clock.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

extension Duration {
    /// Whole nanoseconds, not negative, at most about 290 years.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 9_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
