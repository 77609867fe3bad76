public import JSON
public import Primitives
import Synchronization

/// Structured log: one JSON object per line with `time`, `level`, `service`, `message`, `trace` (of the current
/// `RequestScope`) and `fields`.
///
/// No personal data (NFR-06): messages are literals, so that nothing gets into them; fields are for ids, names of
/// things and numbers, and those with a name of `redactedNames` are blanked should one be logged by mistake.
public struct Log: Sendable {
    /// A line, as long as a pipe takes it in one piece (`PIPE_BUF`); fields that do not fit are left out.
    public static let lineBytesMax = 4096
    /// Longer texts are cut.
    public static let textBytesMax = 1024

    /// Fields that are never shown.
    public static let redactedNames: Set<String> = [
        "address", "authorization", "birth_date", "body", "cookie", "email", "family_name", "fiscal_code", "given_name",
        "latitude", "longitude", "name", "password", "phone", "position", "query", "secret", "token", "url", "value",
        "vat_number",
    ]

    public let service: String
    private let threshold: Threshold
    private let sink: any LogSink
    private let clock: any WallClock

    public init(
        service: String, level: LogLevel = .info, sink: any LogSink,
        clock: any WallClock = SystemClock()
    ) {
        self.service = service
        threshold = Threshold(level)
        self.sink = sink
        self.clock = clock
    }

    /// Lines below it are not written. It can be changed while the process runs, for all copies of this log.
    public var level: LogLevel {
        get { LogLevel(rawValue: threshold.level.load(ordering: .relaxed)) ?? .debug }
        nonmutating set { threshold.level.store(newValue.rawValue, ordering: .relaxed) }
    }

    private final class Threshold: Sendable {
        let level: Atomic<Int>
        init(_ level: LogLevel) { self.level = Atomic(level.rawValue) }
    }

    public func debug(_ message: StaticString, _ fields: @autoclosure () -> JSONObject = [:]) {
        if level <= .debug { write(.debug, message, fields(), RequestScope.current?.trace) }
    }

    public func info(_ message: StaticString, _ fields: @autoclosure () -> JSONObject = [:]) {
        if level <= .info { write(.info, message, fields(), RequestScope.current?.trace) }
    }

    public func warning(_ message: StaticString, _ fields: @autoclosure () -> JSONObject = [:]) {
        if level <= .warning { write(.warning, message, fields(), RequestScope.current?.trace) }
    }

    public func error(_ message: StaticString, _ fields: @autoclosure () -> JSONObject = [:]) {
        write(.error, message, fields(), RequestScope.current?.trace)
    }

    /// A line of another trace than the current `RequestScope`'s.
    public func write(
        _ level: LogLevel, _ message: StaticString, _ fields: @autoclosure () -> JSONObject, _ trace: TraceContext?
    ) {
        guard level >= self.level else { return }
        let fields = fields()
        var line = line(level, message, fields, trace)
        if line.count > Self.lineBytesMax {
            line = self.line(level, message, ["left_out": .integer(Int64(fields.members.count))], trace)
        }
        sink.write(line)
    }

    private func line(
        _ level: LogLevel, _ message: StaticString, _ fields: JSONObject, _ trace: TraceContext?
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        JSONWriter.beginObject(into: &line)
        member("time", clock.now().description, &line)
        member("level", level.name, &line)
        member("service", service, &line)
        member("message", message.description, &line)
        if let trace { member("trace", trace.identifier, &line) }
        if !fields.members.isEmpty {
            JSONWriter.key("fields", into: &line)
            JSONWriter.beginObject(into: &line)
            for field in fields.members {
                JSONWriter.key(field.key, into: &line)
                Self.write(Self.redactedNames.contains(field.key) ? .string("[redacted]") : field.value, into: &line)
            }
            JSONWriter.endObject(into: &line)
        }
        JSONWriter.endObject(into: &line)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private func member(_ name: String, _ text: String, _ line: inout [UInt8]) {
        JSONWriter.key(name, into: &line)
        JSONWriter.string(text, into: &line)
    }

    private static func write(_ value: JSONValue, into line: inout [UInt8]) {
        switch value {
        case .string(let text): JSONWriter.string(cut(text), into: &line)
        case .integer(let number): JSONWriter.integer(number, into: &line)
        case .bool(let flag): JSONWriter.bool(flag, into: &line)
        case .number(let number) where number.isFinite:
            // Finite numbers can always be written.
            try? JSONWriter.number(number, into: &line)
        case .null, .number: JSONWriter.null(into: &line)
        case .array, .object:
            // Encoding fails only for depths and numbers that JSON cannot have.
            if let bytes = try? JSONEncoder().encode(value) {
                JSONWriter.raw(bytes, into: &line)
            } else {
                JSONWriter.null(into: &line)
            }
        }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > textBytesMax else { return text }
        var shown = text.unicodeScalars.prefix(textBytesMax / 4)
        shown.append("…")
        return String(String.UnicodeScalarView(shown))
    }
}

extension Log {
    /// The field for a duration: `["ms": log.milliseconds(duration)]`, to the microsecond.
    public static func milliseconds(_ duration: Duration) -> JSONValue {
        .number(Double(duration.microseconds) / 1000)
    }

    /// The field for an error: all that is known of it but for what may be personal.
    public static func text(of error: any Error) -> JSONValue {
        .string((error as? any LogDescribing)?.logDescription ?? String(reflecting: error))
    }
}
