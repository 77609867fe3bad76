import Glibc
import Synchronization

/// The process's loops, one thread each.
public final class EventLoopGroup: Sendable {
    public let loops: [EventLoop]
    private let turn = Atomic<UInt>(0)
    private let threads: Mutex<[pthread_t]>

    /// Starts `count` threads (1 to 256).
    public init(count: Int) throws(IOError) {
        precondition((1...256).contains(count), "an event loop group has 1 to 256 loops")
        ignoreBrokenPipes()
        var loops: [EventLoop] = []
        for _ in 0..<count { loops.append(try EventLoop()) }
        self.loops = loops
        var threads: [pthread_t] = []
        for loop in loops {
            threads.append(
                try startThread(named: "loop-\(threads.count)") { loop.run() })
        }
        self.threads = Mutex(threads)
    }

    private init(_ loops: [EventLoop]) {
        self.loops = loops
        threads = Mutex([])
    }

    /// Loops that have no threads (`EventLoop.simulated`).
    package static func simulated(_ loops: [EventLoop]) -> EventLoopGroup { EventLoopGroup(loops) }

    /// Some of the loops, whose threads belong to the whole group: only that ends them.
    public func part(_ range: Range<Int>) -> EventLoopGroup { EventLoopGroup(Array(loops[range])) }

    /// The loops in turn.
    public func next() -> EventLoop {
        loops[Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(loops.count))]
    }

    /// Ends the threads and waits for them; waits that are under way end with `closed`. A second call returns at once.
    /// Not from a thread of the group.
    public func shutdown() {
        precondition(!loops.contains { $0.isCurrent }, "a loop cannot wait for its own end")
        let threads = self.threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        guard !threads.isEmpty else { return }
        for loop in loops { loop.stop() }
        for thread in threads { pthread_join(thread, nil) }
    }

    /// Loops for the time of `body`, which runs on the first of them.
    @discardableResult
    public static func withLoops<T: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (EventLoopGroup) async throws -> T
    ) async throws -> T {
        let group = try EventLoopGroup(count: count)
        let result = await group.loops[0].throwingTask { try await body(group) }.result
        group.shutdown()
        return try result.get()
    }
}

/// A peer that went away is an error of `write`, not the end of the process.
func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
