import CLinux
import Glibc
import Primitives
import Synchronization

/// One thread around one epoll instance. It is a serial executor (actors can live on it) and a task executor
/// (SE-0392, SE-0417): code that awaits a descriptor of this loop continues on this thread without a hop.
///
/// A turn of the loop: the jobs that are ready, then the kernel's events, then the timers that are due.
///
/// Sendable without the compiler's proof: `inbox` is behind a lock; all other mutable state is touched by the loop's own
/// thread only, which `preconditionCurrent()` enforces at every entrance.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    typealias Table = ReadinessTable<UnsafeContinuation<WaitOutcome, Never>>

    /// How a wait ended.
    enum WaitOutcome: Sendable {
        case ready
        case timedOut
        case cancelled
        case closed
        case occupied
    }

    private enum Item {
        /// A job of an actor that lives on this loop.
        case job(UnownedJob)
        /// A job that is isolated to no actor, of a task that prefers this loop.
        case taskJob(UnownedJob)
        case work(@Sendable () -> Void)
    }

    enum TimerPayload {
        case work(@Sendable () -> Void)
        case descriptor(Table.Key)
    }

    /// Bytes of `scratch`, and so the most that one read takes.
    public static let readBytesMax = 64 * 1024
    private static let eventsPerTurnMax: Int32 = 256
    private static let roundsPerTurnMax = 8
    private static let wakeKey = UInt64(UInt32.max)

    private let epoll: Int32
    private let wakeDescriptor: Int32
    private let inbox = Mutex<[Item]>([])
    /// Set after something came into the inbox, so that the loop takes the lock only then.
    private let hasMail = Atomic(false)
    /// Set before the loop sleeps: whoever clears it must wake the loop.
    private let isSleeping = Atomic(false)
    private let isStopping = Atomic(false)
    private var ready: [Item] = []
    private var running: [Item] = []
    private var table = Table()
    private(set) var timers = TimerQueue<TimerPayload>()
    private var lastWaitID: UInt64 = 0
    private let events: UnsafeMutablePointer<epoll_event>
    /// Where reads land first, so that an idle connection holds no buffer.
    let scratch: UnsafeMutableRawBufferPointer

    /// A loop whose thread is not running yet; `EventLoopGroup` runs it.
    init() throws(IOError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .last("epoll_create1") }
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeDescriptor >= 0 else { throw .last("eventfd") }
        // Edge-triggered: each write wakes once, and nobody has to read the counter.
        guard
            tm_epoll_ctl(epoll, EPOLL_CTL_ADD, wakeDescriptor, EPOLLIN.rawValue | EPOLLET.rawValue, Self.wakeKey) == 0
        else { throw .last("epoll_ctl") }
        events = .allocate(capacity: Int(Self.eventsPerTurnMax))
        scratch = .allocate(byteCount: Self.readBytesMax, alignment: 16)
    }

    deinit {
        close(epoll)
        close(wakeDescriptor)
        events.deallocate()
        scratch.deallocate()
    }

    // MARK: Where am I

    private static let currentKey: pthread_key_t = {
        var key = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("no thread-local storage left") }
        return key
    }()

    /// The loop whose thread this is.
    public static var current: EventLoop? {
        pthread_getspecific(currentKey).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    public var isCurrent: Bool { pthread_getspecific(Self.currentKey) == Unmanaged.passUnretained(self).toOpaque() }

    public func preconditionCurrent() {
        precondition(isCurrent, "called off the event loop that owns this object")
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Kept apart from the jobs of actors: run as if isolated to the loop, such a job would begin with a hop to "no actor",
    /// that is with another round of the loop.
    @_implements(TaskExecutor,enqueue(_:))
    public func enqueueTask(_ job: consuming ExecutorJob) { add(.taskJob(UnownedJob(job))) }

    public func checkIsolated() { preconditionCurrent() }

    /// Runs `work` on the loop soon, in the order of the calls. From any thread.
    public func execute(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

    /// A task that stays on this loop, as do its child tasks. (A plain `Task {}` would not: it leaves the loop.)
    @discardableResult
    public func task<T: Sendable>(_ body: @escaping @Sendable () async -> T) -> Task<T, Never> {
        Task(executorPreference: self) { await body() }
    }

    /// As `task`, for a body that throws.
    @discardableResult
    public func throwingTask<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) -> Task<T, any Error> {
        Task(executorPreference: self) { try await body() }
    }

    private func add(_ item: Item) {
        if isCurrent {
            ready.append(item)
            return
        }
        inbox.withLock { $0.append(item) }
        hasMail.store(true, ordering: .sequentiallyConsistent)
        wakeIfSleeping()
    }

    private func wakeIfSleeping() {
        guard isSleeping.exchange(false, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the loop is awake.
        _ = write(wakeDescriptor, &one, 8)
    }

    // MARK: The thread

    /// Runs until `stop()`; then closes what is registered, lets the waiters finish, and returns.
    func run() {
        pthread_setspecific(Self.currentKey, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.currentKey, nil) }
        while !isStopping.load(ordering: .acquiring) { turn() }
        for key in table.keys { end(table.deregister(key), .closed) }
        // Woken waiters may start timers again; a bounded number of turns lets all of them see the end.
        for _ in 0..<1000 {
            for case .work(let work) in timers.removeAll() { work() }
            takeInbox()
            guard !ready.isEmpty else { break }
            runReady()
        }
    }

    /// Asks the thread to end. From any thread.
    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        wakeIfSleeping()
    }

    /// Runs on the caller's thread and by the simulation's clock: when nothing is ready, time goes on to the next timer. Returns at
    /// `end`, or when nothing is left to come. For a loop that `run` is not called of, and that waits for no descriptor.
    func simulate(_ simulation: Simulation, until end: Deadline) {
        pthread_setspecific(Self.currentKey, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.currentKey, nil) }
        while true {
            takeInbox()
            guard ready.isEmpty else {
                if simulation.isShuffling, ready.count > 1 {
                    var random = MachineRandom()
                    ready.shuffle(using: &random)
                }
                runReady()
                continue
            }
            guard let due = timers.nextDue, due <= end.nanoseconds else { break }
            simulation.advance(to: due)
            fireTimers()
        }
        if end != .never { simulation.advance(to: end.nanoseconds) }
    }

    private func turn() {
        takeInbox()
        // What a job makes ready mostly runs before the kernel is asked again; the limit keeps I/O from starving.
        var jobs = 0
        for _ in 0..<Self.roundsPerTurnMax where !ready.isEmpty {
            jobs += ready.count
            runReady()
        }
        // Several peers were just served: those on this core that can answer at once may do so, and one wait collects them
        // all. With one peer there is nothing to collect, and its latency counts.
        if jobs > 1 { sched_yield() }
        let count = epoll_wait(epoll, events, Self.eventsPerTurnMax, sleepMilliseconds())
        isSleeping.store(false, ordering: .relaxed)
        for index in 0..<Int(max(count, 0)) { handle(events + index) }
        fireTimers()
    }

    private func takeInbox() {
        guard hasMail.load(ordering: .acquiring) else { return }
        hasMail.store(false, ordering: .sequentiallyConsistent)
        inbox.withLock { inbox in
            ready.append(contentsOf: inbox)
            inbox.removeAll(keepingCapacity: inbox.count < 1024)
        }
    }

    /// Runs what is ready now; what these jobs make ready waits for the next round.
    private func runReady() {
        swap(&ready, &running)
        for item in running {
            switch item {
            case .job(let job):
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            case .taskJob(let job): job.runSynchronously(on: asUnownedTaskExecutor())
            case .work(let work): work()
            }
        }
        running.removeAll(keepingCapacity: running.count < 4096)
    }

    /// -1 for ever, 0 not at all; whole milliseconds rounded up, so that no timer is looked for too early.
    private func sleepMilliseconds() -> Int32 {
        guard ready.isEmpty else { return 0 }
        isSleeping.store(true, ordering: .sequentiallyConsistent)
        if hasMail.load(ordering: .sequentiallyConsistent) || isStopping.load(ordering: .sequentiallyConsistent) {
            isSleeping.store(false, ordering: .relaxed)
            return 0
        }
        guard let due = timers.nextDue else { return -1 }
        let now = Deadline.now().nanoseconds
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    private func handle(_ event: UnsafePointer<epoll_event>) {
        let data = tm_epoll_data(event)
        guard data != Self.wakeKey else { return }
        let key = Table.Key(rawValue: data)
        let flags = tm_epoll_events(event)
        let wakes = table.event(
            key,
            readable: flags & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLPRI.rawValue) != 0,
            writable: flags & EPOLLOUT.rawValue != 0,
            hungUp: flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
        if wakes.forget {
            control(EPOLL_CTL_DEL, key, [])
        } else if let interest = wakes.arm {
            control(EPOLL_CTL_MOD, key, interest)
        }
        wakes.reader?.resume(returning: .ready)
        wakes.writer?.resume(returning: .ready)
    }

    private func fireTimers() {
        guard let due = timers.nextDue else { return }
        let now = Deadline.now().nanoseconds
        guard due <= now else { return }
        while let (due, payload) = timers.popDue(now) {
            switch payload {
            case .work(let work): work()
            case .descriptor(let key):
                let fired = table.timerFired(key, due: due, now: now)
                fired.reader?.resume(returning: .timedOut)
                fired.writer?.resume(returning: .timedOut)
                if let next = fired.next { setTimer(key, due: next) }
            }
        }
    }

    // MARK: Timers

    /// A timer that can be cancelled on its loop.
    public struct Timer: Sendable {
        fileprivate let id: UInt64
    }

    /// Runs `work` on the loop at `deadline`, to the millisecond. Call on the loop.
    public func schedule(at deadline: Deadline, _ work: @escaping @Sendable () -> Void) -> Timer {
        preconditionCurrent()
        return Timer(id: timers.add(due: deadline.nanoseconds, .work(work)))
    }

    /// No effect when it has fired. Call on the loop.
    public func cancel(_ timer: Timer) {
        preconditionCurrent()
        _ = timers.cancel(timer.id)
    }

    // MARK: Descriptors (for Watch)

    /// The descriptor of each key, for `epoll_ctl`.
    private var descriptors: [UInt32: Int32] = [:]

    func register(_ descriptor: Int32) throws(IOError) -> Table.Key {
        preconditionCurrent()
        let key = table.register()
        guard tm_epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, 0, key.rawValue) == 0 else {
            let error = IOError.last("epoll_ctl")
            _ = table.deregister(key)
            throw error
        }
        descriptors[key.slot] = descriptor
        return key
    }

    func deregister(_ key: Table.Key) {
        preconditionCurrent()
        control(EPOLL_CTL_DEL, key, [])
        descriptors[key.slot] = nil
        if let timer = table.timer(of: key) { _ = timers.cancel(timer) }
        end(table.deregister(key), .closed)
    }

    /// Ends the waits on the key; it stays registered.
    func endWaits(_ key: Table.Key, _ outcome: WaitOutcome) {
        preconditionCurrent()
        end(table.cancelAll(key), outcome)
    }

    /// Waits; the task's cancellation ends it.
    func wait(_ key: Table.Key, _ direction: Table.Interest, deadline: Deadline) async -> WaitOutcome {
        preconditionCurrent()
        lastWaitID += 1
        let id = lastWaitID
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { register($0, id, key, direction, deadline) }
        } onCancel: {
            execute { self.table.cancel(key, id: id)?.resume(returning: .cancelled) }
        }
    }

    /// Waits; whoever calls has arranged for `endWaits` at the task's cancellation.
    @inline(__always)
    func waitInScope(_ key: Table.Key, _ direction: Table.Interest, deadline: Deadline) async -> WaitOutcome {
        preconditionCurrent()
        return await withUnsafeContinuation { register($0, 0, key, direction, deadline) }
    }

    private func register(
        _ continuation: UnsafeContinuation<WaitOutcome, Never>, _ id: UInt64, _ key: Table.Key,
        _ direction: Table.Interest, _ deadline: Deadline
    ) {
        // A cancellation from here on queues behind this registration; an earlier one may have run already.
        guard !Task.isCancelled else { return continuation.resume(returning: .cancelled) }
        let due = deadline.nanoseconds
        switch table.wait(key, direction, .init(id: id, due: due, waiter: continuation)) {
        case .waiting(let arm):
            if let arm { control(EPOLL_CTL_MOD, key, arm) }
            if table.needsTimer(key, due: due) { setTimer(key, due: due) }
        case .ready: continuation.resume(returning: .ready)
        case .closed: continuation.resume(returning: .closed)
        case .occupied: continuation.resume(returning: .occupied)
        }
    }

    private func setTimer(_ key: Table.Key, due: UInt64) {
        let replaced = table.setTimer(key, id: timers.add(due: due, .descriptor(key)))
        if let replaced { _ = timers.cancel(replaced) }
    }

    func isArmedForReading(_ key: Table.Key) -> Bool { table.isArmedForReading(key) }

    private func control(_ operation: Int32, _ key: Table.Key, _ interest: Table.Interest) {
        guard let descriptor = descriptors[key.slot] else { return }
        var flags: UInt32 = 0
        if interest.contains(.read) { flags |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        if interest.contains(.write) { flags |= EPOLLOUT.rawValue }
        // Fails only for a descriptor that its owner closed too early, which then reports nothing any more.
        _ = tm_epoll_ctl(epoll, operation, descriptor, flags, key.rawValue)
    }

    private func end(_ waiters: Table.Waiters, _ outcome: WaitOutcome) {
        waiters.reader?.resume(returning: outcome)
        waiters.writer?.resume(returning: outcome)
    }
}
