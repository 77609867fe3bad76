import Synchronization

/// Where a piece of work stands in a distributed trace (W3C Trace Context, level 1).
public struct TraceContext: Sendable, Hashable {
    public let traceHigh: UInt64
    public let traceLow: UInt64
    /// The span that is the parent of whatever is called with this context.
    public let span: UInt64
    /// The span that asked for this one; 0 when nobody did or it is not known.
    public let parent: UInt64
    public let isSampled: Bool
    /// What other vendors' tracers keep in the trace (`tracestate`): passed on as it came; empty for none.
    public let state: String

    /// Longer ones, and those with other characters, are left out.
    public static let stateBytesMax = 512

    public init(
        traceHigh: UInt64, traceLow: UInt64, span: UInt64, parent: UInt64 = 0, isSampled: Bool, state: String = ""
    ) {
        self.traceHigh = traceHigh
        self.traceLow = traceLow
        self.span = span
        self.parent = parent
        self.isSampled = isSampled
        self.state = state
    }

    /// The beginning of a new trace.
    public static func root(isSampled: Bool = false) -> TraceContext {
        TraceContext(
            traceHigh: SpanIdentifiers.next(), traceLow: SpanIdentifiers.next(), span: SpanIdentifiers.next(),
            isSampled: isSampled)
    }

    /// A new span of the same trace.
    public func child() -> TraceContext {
        TraceContext(
            traceHigh: traceHigh, traceLow: traceLow, span: SpanIdentifiers.next(), parent: span, isSampled: isSampled,
            state: state)
    }

    /// The same with another decision.
    func sampled(_ isSampled: Bool) -> TraceContext {
        TraceContext(
            traceHigh: traceHigh, traceLow: traceLow, span: span, parent: parent, isSampled: isSampled, state: state)
    }

    /// The same with a `tracestate` value; with none when the value is not printable ASCII of at most `stateBytesMax`.
    public func with(tracestate text: String) -> TraceContext {
        let isGood = text.utf8.count <= Self.stateBytesMax && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        return TraceContext(
            traceHigh: traceHigh, traceLow: traceLow, span: span, parent: parent, isSampled: isSampled,
            state: isGood ? text : "")
    }

    /// The 32 hexadecimal digits of the trace, by which its log lines are found.
    public var identifier: String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { text in
            Self.writeHex(traceHigh, to: text, at: 0)
            Self.writeHex(traceLow, to: text, at: 16)
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// 16 hexadecimal digits, as OpenTelemetry writes a span's number.
    public static func identifier(ofSpan span: UInt64) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { text in
            writeHex(span, to: text, at: 0)
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The length of a version 00 `traceparent`.
    public static let textBytes = 55

    /// A `traceparent` value. Version `ff`, zero identifiers and upper case are refused; of later versions, what version
    /// 00 knows is taken, as the recommendation asks.
    public init?(traceparent text: some Collection<UInt8>) {
        let parsed = text.withContiguousStorageIfAvailable { Self.parse($0) }
        guard let trace = parsed ?? Array(text).withUnsafeBufferPointer({ Self.parse($0) }) else { return nil }
        self = trace
    }

    private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> TraceContext? {
        guard text.count >= textBytes else { return nil }
        var reader = HexReader(text: text)
        guard let version = reader.number(digits: 2), version != 0xff, version != 0 || text.count == textBytes,
            reader.dash(), let high = reader.number(digits: 16), let low = reader.number(digits: 16), high | low != 0,
            reader.dash(), let span = reader.number(digits: 16), span != 0, reader.dash(),
            let flags = reader.number(digits: 2), reader.isAtEnd || reader.dash()
        else { return nil }
        return TraceContext(traceHigh: high, traceLow: low, span: span, isSampled: flags & 1 == 1)
    }

    /// Appends the `traceparent` value, version 00.
    public func write(to output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.textBytes) { text in
            text.initialize(repeating: UInt8(ascii: "0"))
            text[2] = UInt8(ascii: "-")
            Self.writeHex(traceHigh, to: text, at: 3)
            Self.writeHex(traceLow, to: text, at: 19)
            text[35] = UInt8(ascii: "-")
            Self.writeHex(span, to: text, at: 36)
            text[52] = UInt8(ascii: "-")
            if isSampled { text[54] = UInt8(ascii: "1") }
            output.append(contentsOf: UnsafeBufferPointer(text))
        }
    }

    private static func writeHex(_ word: UInt64, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        for index in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(index))) & 15
            text[start + index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        }
    }
}

extension TraceContext: CustomStringConvertible {
    /// The `traceparent` value.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(Self.textBytes)
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// Reads fixed-width lower-case hexadecimal numbers and dashes.
private struct HexReader {
    let text: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    var isAtEnd: Bool { position == text.count }

    mutating func dash() -> Bool {
        guard !isAtEnd, text[position] == UInt8(ascii: "-") else { return false }
        position += 1
        return true
    }

    mutating func number(digits: Int) -> UInt64? {
        guard position + digits <= text.count else { return nil }
        var value: UInt64 = 0
        for _ in 0..<digits {
            let byte = text[position]
            let isDecimal = byte &- UInt8(ascii: "0") < 10
            guard isDecimal || byte &- UInt8(ascii: "a") < 6 else { return nil }
            value = value << 4 | UInt64(isDecimal ? byte &- UInt8(ascii: "0") : byte &- UInt8(ascii: "a") &+ 10)
            position += 1
        }
        return value
    }
}

/// Identifiers for traces and spans: unique in the process and unpredictable between processes, but no secrets.
/// SplitMix64 (Steele, Lea and Flood 2014) from a random start costs no system call.
private enum SpanIdentifiers {
    private static let state = Atomic<UInt64>(UInt64.random(in: .min ... .max))

    static func next() -> UInt64 {
        var mixed = state.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        return mixed == 0 ? 1 : mixed
    }
}
