import CLinux
import Glibc
import Synchronization

/// A few threads for work that blocks: password hashing, name look-ups, files. Its queue has a limit.
public final class BlockingPool: Sendable {
    private struct State {
        var queue: [@Sendable () -> Void] = []
        var isStopping = false
    }

    /// For files and the like; as long as the process. Work that waits for other machines belongs in a pool of its own.
    public static let shared: BlockingPool = {
        do { return try BlockingPool(threads: 4, queueMax: 1024, nice: 0) } catch {
            preconditionFailure("no threads for blocking work: \(error)")
        }
    }()

    private let queueMax: Int
    private let condition = Condition()
    private let state = Mutex(State())
    private let threads = Mutex<[pthread_t]>([])

    /// `nice` 19 keeps hard computation from slowing the loops down.
    public init(threads count: Int, queueMax: Int, nice: Int32 = 0) throws(IOError) {
        precondition((1...64).contains(count) && queueMax > 0)
        self.queueMax = queueMax
        for index in 0..<count {
            let thread = try startThread(named: "blocking-\(index)") { [self] in
                if nice != 0 { _ = tm_set_thread_nice(nice) }
                while let work = take() { work() }
            }
            threads.withLock { $0.append(thread) }
        }
    }

    /// The result of `work`, computed on one of the threads. It is not interrupted by cancellation. Errors: `limit`
    /// when too many wait already; `closed` after `shutdown()`.
    public func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async throws(IOError) -> T {
        let result: Result<T, IOError> = await withUnsafeContinuation { continuation in
            do throws(IOError) {
                try start { continuation.resume(returning: .success(work())) }
            } catch { continuation.resume(returning: .failure(error)) }
        }
        return try result.get()
    }

    /// As `run`, without waiting for the end.
    func start(_ work: @escaping @Sendable () -> Void) throws(IOError) {
        let refusal: IOError? = state.withLock { state in
            if state.isStopping { return .closed }
            if state.queue.count >= queueMax { return .limit("blocking work waiting: \(queueMax)") }
            state.queue.append(work)
            return nil
        }
        if let refusal { throw refusal }
        condition.signal()
    }

    /// Finishes what is queued and ends the threads.
    public func shutdown() {
        state.withLock { $0.isStopping = true }
        condition.broadcast()
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { pthread_join(thread, nil) }
    }

    private func take() -> (@Sendable () -> Void)? {
        condition.wait {
            state.withLock { state -> (@Sendable () -> Void)?? in
                if !state.queue.isEmpty { return .some(state.queue.removeFirst()) }
                return state.isStopping ? .some(nil) : nil
            }
        }
    }
}
