import Synchronization

/// Receives log lines. Called on the loops: must not block.
public protocol LogSink: Sendable {
    /// One line with its line feed, at most `Log.lineBytesMax`.
    func write(_ line: [UInt8])
}

/// Keeps nothing.
struct NoLogSink: LogSink {
    func write(_ line: [UInt8]) {}
}

/// Keeps lines in memory, for tests; at most `linesMax`.
public final class MemoryLogSink: LogSink {
    private static let linesMax = 10_000
    private let state = Mutex<[String]>([])

    public init() {}

    public var lines: [String] { state.withLock { $0 } }

    /// Whether there is a line with this message.
    public func has(_ message: String) -> Bool { count(of: message) > 0 }

    /// Lines with this message.
    public func count(of message: String) -> Int {
        state.withLock { $0.count { $0.contains("\"message\":\"\(message)\"") } }
    }

    public func write(_ line: [UInt8]) {
        state.withLock { lines in
            guard lines.count < Self.linesMax else { return }
            lines.append(String(decoding: line.dropLast(), as: UTF8.self))
        }
    }
}
