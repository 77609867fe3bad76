/// Bytes are not the data of a time zone.
public struct TimeZoneFileError: Error, Equatable, Sendable, CustomStringConvertible {
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }

    public var description: String { "not the data of a time zone: \(reason)" }
}

extension TimeZoneRules {
    /// A file is no longer.
    public static let fileBytesMax = 65_536

    /// From a file in the form TZif (RFC 9636), versions 1 to 4. Its rule for the time after the last entry is followed to the
    /// year 2200. Files with leap seconds are refused: no clock here counts them.
    public init(file bytes: [UInt8]) throws(TimeZoneFileError) {
        guard bytes.count <= Self.fileBytesMax else { throw TimeZoneFileError(reason: "too large") }
        var reader = TimeZoneFileReader(bytes)
        let first = try reader.header()
        guard first.version > 0 else {
            let entries = try reader.entries(first, timeBytes: 4)
            self = try Self.rules(entries, footer: [])
            return
        }
        try reader.skip(first.size(timeBytes: 4))
        let second = try reader.header()
        let entries = try reader.entries(second, timeBytes: 8)
        self = try Self.rules(entries, footer: try reader.footer())
    }

    /// Seconds since 1970 and the offset from then on, in seconds, ascending; the offset before them.
    struct Entries {
        var before: Int64
        var changes: [(time: Int64, offset: Int64)]
    }

    private static func rules(_ entries: Entries, footer: [UInt8]) throws(TimeZoneFileError) -> TimeZoneRules {
        var changes = entries.changes
        if !footer.isEmpty {
            guard let rule = DaylightRule(footer) else { throw TimeZoneFileError(reason: "an unknown rule") }
            let last = changes.last?.time ?? .min
            changes += rule.changes(from: 1900, through: 2200).filter { $0.time > last }
        }
        var (starts, minutes) = ([Int64](), [try self.minutes(entries.before)])
        for (time, offset) in changes {
            if time <= -1 << 40 {
                // As good as always.
                minutes = [try self.minutes(offset)]
            } else if time < 1 << 40 {
                starts.append(time * 1000)
                minutes.append(try self.minutes(offset))
            }
        }
        return TimeZoneRules(starts: starts, minutes: minutes)
    }

    private static func minutes(_ seconds: Int64) throws(TimeZoneFileError) -> Int16 {
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        guard let offset = ZoneOffset(minutes: Int(rest < 0 ? minutes - 1 : minutes)) else {
            throw TimeZoneFileError(reason: "an offset of more than 18 hours")
        }
        return offset.minutes
    }
}

/// Reads the parts of a file, each of which is checked for being there.
private struct TimeZoneFileReader {
    struct Header {
        let version: UInt8
        let utcMarks: Int
        let standardMarks: Int
        let leaps: Int
        let times: Int
        let types: Int
        let characters: Int

        func size(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standardMarks + utcMarks
        }
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func skip(_ count: Int) throws(TimeZoneFileError) { _ = try take(count) }

    private mutating func take(_ count: Int) throws(TimeZoneFileError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw TimeZoneFileError(reason: "it ends too early") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// With a sign, the most significant byte first.
    private mutating func number(_ count: Int) throws(TimeZoneFileError) -> Int64 {
        let taken = try take(count)
        var number: UInt64 = (taken.first ?? 0) & 0x80 == 0 ? 0 : .max
        for byte in taken { number = number << 8 | UInt64(byte) }
        return Int64(bitPattern: number)
    }

    mutating func header() throws(TimeZoneFileError) -> Header {
        guard try take(4).elementsEqual("TZif".utf8) else { throw TimeZoneFileError(reason: "no header") }
        let version = try take(1).first ?? 0
        try skip(15)
        var counts: [Int] = []
        for _ in 0..<6 {
            let count = try number(4)
            guard 0...TimeZoneRules.fileBytesMax ~= Int(count) else {
                throw TimeZoneFileError(reason: "too many entries")
            }
            counts.append(Int(count))
        }
        return Header(
            version: version, utcMarks: counts[0], standardMarks: counts[1], leaps: counts[2], times: counts[3],
            types: counts[4], characters: counts[5])
    }

    mutating func entries(_ header: Header, timeBytes: Int) throws(TimeZoneFileError) -> TimeZoneRules.Entries {
        guard header.leaps == 0 else { throw TimeZoneFileError(reason: "it counts leap seconds") }
        var times: [Int64] = []
        for _ in 0..<header.times { times.append(try number(timeBytes)) }
        guard zip(times.dropFirst(), times).allSatisfy({ $0 > $1 }) else {
            throw TimeZoneFileError(reason: "times out of order")
        }
        let kinds = try take(header.times).map(Int.init)
        var offsets: [Int64] = []
        for _ in 0..<header.types {
            offsets.append(try number(4))
            try skip(2)
        }
        guard let first = offsets.first, kinds.allSatisfy(offsets.indices.contains) else {
            throw TimeZoneFileError(reason: "an entry of no type")
        }
        try skip(header.size(timeBytes: timeBytes) - header.times * (timeBytes + 1) - header.types * 6)
        return TimeZoneRules.Entries(before: first, changes: zip(times, kinds).map { ($0, offsets[$1]) })
    }

    /// The rule between two ends of line.
    mutating func footer() throws(TimeZoneFileError) -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        guard try take(1).first == newline, let end = bytes[position...].firstIndex(of: newline) else {
            throw TimeZoneFileError(reason: "no footer")
        }
        return Array(try take(end - position))
    }
}
