import Glibc
import Synchronization

/// Where log lines go. Called on the loops: must not block.
public protocol LogSink: Sendable {
    /// One line with its line feed, at most `Log.lineBytesMax`.
    func write(_ line: [UInt8])
}

/// A descriptor, normally standard output. A line is written at once, so that a crash loses none; when nobody reads the
/// pipe and it is full, lines are dropped and counted, since a service must not stand still for its log.
public final class DescriptorLogSink: LogSink {
    private struct State {
        var droppedSince = 0
        var droppedCount = 0
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// Standard output unless told otherwise.
    public init(descriptor: Int32 = 1) {
        self.descriptor = descriptor
    }

    /// Lines dropped so far.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    public func write(_ line: [UInt8]) {
        state.withLock { state in
            if state.droppedSince > 0, isWritable {
                put(
                    Array(
                        "{\"level\":\"warning\",\"message\":\"log lines dropped\",\"count\":\(state.droppedSince)}\n"
                            .utf8))
                state.droppedSince = 0
            }
            guard isWritable else {
                state.droppedSince += 1
                state.droppedCount += 1
                return
            }
            put(line)
        }
    }

    /// A pipe that polls writable takes a line of at most `PIPE_BUF` bytes without blocking (pipe(7)); a file always
    /// does.
    private var isWritable: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 1 && poll.revents & Int16(POLLOUT) != 0
    }

    private func put(_ line: [UInt8]) {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // A log that cannot be written has nowhere else to say so.
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Keeps lines in memory, for tests; at most `linesMax`.
public final class MemoryLogSink: LogSink {
    private static let linesMax = 10_000
    private let state = Mutex<[String]>([])

    public init() {}

    public var lines: [String] { state.withLock { $0 } }

    public func write(_ line: [UInt8]) {
        state.withLock { lines in
            guard lines.count < Self.linesMax else { return }
            lines.append(String(decoding: line.dropLast(), as: UTF8.self))
        }
    }
}
