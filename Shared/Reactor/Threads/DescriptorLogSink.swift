import Glibc
import Synchronization
public import Telemetry

/// A descriptor, normally standard output, written by a thread of its own: a slow disk or a pipe that nobody reads holds
/// up no loop. Lines that do not fit into the queue meanwhile are dropped and counted.
public final class DescriptorLogSink: LogSink {
    /// Bytes that wait for the thread.
    public static let waitingBytesMax = 1 << 20

    private struct State {
        var lines: [[UInt8]] = []
        var bytes = 0
        var droppedSince = 0
        var droppedCount = 0
        /// The thread is writing what it has taken.
        var isWriting = false
    }

    /// What the thread shares with those who write lines.
    private final class Queue: Sendable {
        let state = Mutex(State())
        let condition = Condition()
        let descriptor: Int32

        init(descriptor: Int32) {
            self.descriptor = descriptor
        }
    }

    private let queue: Queue

    /// Standard output unless told otherwise. The thread lives as long as the process. Errors: no thread can be had.
    public init(descriptor: Int32 = 1) throws(IOError) {
        let queue = Queue(descriptor: descriptor)
        self.queue = queue
        let thread = try startThread(named: "log") { Self.run(queue) }
        pthread_detach(thread)
    }

    /// Lines dropped so far.
    public var droppedCount: Int { queue.state.withLock { $0.droppedCount } }

    public func write(_ line: [UInt8]) {
        let isFirst = queue.state.withLock { state in
            guard state.bytes + line.count <= Self.waitingBytesMax else {
                state.droppedSince += 1
                state.droppedCount += 1
                return false
            }
            state.bytes += line.count
            state.lines.append(line)
            return state.lines.count == 1
        }
        if isFirst { queue.condition.signal() }
    }

    /// Waits until everything is written, but not longer than `limit`. For the end of a process, off the loops.
    public func flush(within limit: Duration) {
        let deadline = Deadline.after(limit)
        while !deadline.hasPassed, queue.state.withLock({ !$0.lines.isEmpty || $0.isWriting }) { usleep(1000) }
    }

    private static func run(_ queue: Queue) {
        while true {
            let (lines, dropped) = queue.condition.wait {
                queue.state.withLock { state -> (lines: [[UInt8]], dropped: Int)? in
                    state.isWriting = !state.lines.isEmpty
                    guard !state.lines.isEmpty else { return nil }
                    defer { (state.lines, state.bytes, state.droppedSince) = ([], 0, 0) }
                    return (state.lines, state.droppedSince)
                }
            }
            for line in lines { put(line, to: queue.descriptor) }
            guard dropped > 0 else { continue }
            put(
                Array("{\"level\":\"warning\",\"message\":\"log lines dropped\",\"count\":\(dropped)}\n".utf8),
                to: queue.descriptor)
        }
    }

    /// A line has at most `PIPE_BUF` bytes, so that those of several processes do not mix in one pipe (pipe(7)).
    private static func put(_ line: [UInt8], to descriptor: Int32) {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN {
                // Somebody else made the descriptor non-blocking.
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
                continue
            }
            // A log that cannot be written has nowhere else to say so.
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
