import Glibc

/// A point in time: microseconds since 1970-01-01T00:00:00Z, without leap seconds, as PostgreSQL's `timestamptz` counts.
/// Its text is RFC 3339, and is always written in UTC.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible, LosslessStringConvertible, Codable {
    public let microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// At the ends of what can be counted it stays there.
    public init(milliseconds: Int64) {
        self.init(microseconds: milliseconds.multipliedClamped(by: 1000))
    }

    /// The machine's wall clock.
    public static func now() -> Timestamp {
        if let simulation = Simulation.current {
            return Timestamp(microseconds: Int64(simulation.nanoseconds / 1000) + simulation.wallMicroseconds)
        }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Milliseconds since the epoch, rounded down.
    public var milliseconds: Int64 { microseconds.flooredQuotient(1000) }

    /// The UTC day this falls in.
    public var dateUTC: CalendarDate {
        CalendarDate(daysSinceEpoch: Int32(microseconds.flooredQuotient(86_400_000_000)))
    }

    /// An RFC 3339 `date-time` with years 1 to 9999, any offset, up to nanoseconds (cut to microseconds). A leap second
    /// reads as the second after it. Anything else is `nil`.
    public init?(_ description: String) {
        var description = description
        guard let microseconds = description.withUTF8({ Self.microseconds(of: $0) }) else { return nil }
        self.init(microseconds: microseconds)
    }

    private static func microseconds(of text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count >= 20, text.count <= 40, let date = CalendarDate(text.prefix(10)),
            text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let hour = decimal(text[11..<13]), let minute = decimal(text[14..<16]), let second = decimal(text[17..<19]),
            hour <= 23, minute <= 59, second <= 60
        else { return nil }
        var position = 19
        var fraction: Int64 = 0
        if text[position] == UInt8(ascii: ".") {
            position += 1
            var scale: Int64 = 100_000
            let start = position
            while position < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]) {
                fraction += Int64(text[position] - UInt8(ascii: "0")) * scale
                scale /= 10
                position += 1
            }
            guard position > start, position < text.count else { return nil }
        }
        var offsetMinutes = 0
        switch text[position] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard position + 1 == text.count else { return nil }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard position + 6 == text.count, text[position + 3] == UInt8(ascii: ":"),
                let hours = decimal(text[position + 1..<position + 3]),
                let minutes = decimal(text[position + 4..<position + 6]), hours <= 23, minutes <= 59
            else { return nil }
            offsetMinutes = (hours * 60 + minutes) * (text[position] == UInt8(ascii: "-") ? -1 : 1)
        default: return nil
        }
        let seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64((hour * 60 + minute - offsetMinutes) * 60 + second)
        // An offset can lead to a year that has no text.
        guard secondsOfTexts.contains(seconds) else { return nil }
        return seconds * 1_000_000 + fraction
    }

    /// The years 1 to 9999.
    private static let secondsOfTexts: Range<Int64> = -62_135_596_800..<253_402_300_800

    /// `YYYY-MM-DDTHH:MM:SS[.fff[fff]]Z`: as many fraction digits (0, 3 or 6) as the value needs.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.textBytesMax) { fill($0) }
    }

    /// Appends `description`, without making a text first.
    public func write(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.textBytesMax) { space in
            bytes.append(contentsOf: space[..<fill(space)])
        }
    }

    private static let textBytesMax = 40

    /// Writes `description`; returns its length.
    private func fill(_ text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let day = dateUTC
        let rest = Int(microseconds - day.startUTC.microseconds)
        let seconds = rest / 1_000_000
        let fraction = rest % 1_000_000
        let digits = fraction == 0 ? 0 : fraction % 1000 == 0 ? 3 : 6
        var end = 0
        func append(_ byte: UInt8) {
            text.initializeElement(at: end, to: byte)
            end += 1
        }
        func append(_ number: Int, _ width: Int) {
            var rest = number
            for place in (end..<end + width).reversed() {
                text.initializeElement(at: place, to: UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            }
            end += width
        }
        let (year, month, date) = day.components
        if (0...9999).contains(year) {
            append(year, 4)
            append(UInt8(ascii: "-"))
            append(month, 2)
            append(UInt8(ascii: "-"))
            append(date, 2)
        } else {
            for byte in day.description.utf8 { append(byte) }
        }
        append(UInt8(ascii: "T"))
        append(seconds / 3600, 2)
        append(UInt8(ascii: ":"))
        append(seconds / 60 % 60, 2)
        append(UInt8(ascii: ":"))
        append(seconds % 60, 2)
        if digits > 0 {
            append(UInt8(ascii: "."))
            append(digits == 3 ? fraction / 1000 : fraction, digits)
        }
        append(UInt8(ascii: "Z"))
        return end
    }

    /// Sums and differences stay at the ends of what can be counted, so that no time that somebody sent stops a process.
    public func adding(_ duration: Duration) -> Timestamp {
        Timestamp(microseconds: microseconds.addedClamped(duration.microseconds))
    }
    /// The same for whole milliseconds, without the arithmetic of durations: columns of times are long.
    public func adding(milliseconds: Int64) -> Timestamp {
        Timestamp(microseconds: microseconds.addedClamped(milliseconds.multipliedClamped(by: 1000)))
    }
    public static func + (left: Timestamp, right: Duration) -> Timestamp { left.adding(right) }
    public static func - (left: Timestamp, right: Duration) -> Timestamp { left.adding(.zero - right) }
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds.subtractedClamped(right.microseconds))
    }
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a time of the form 2026-01-31T12:00:00Z (RFC 3339)")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Where a component gets the time from; tests give one that they move by hand.
public protocol WallClock: Sendable {
    func now() -> Timestamp
}

/// The machine's wall clock.
public struct SystemClock: WallClock {
    public init() {}
    public func now() -> Timestamp { .now() }
}

extension Duration {
    /// Whole microseconds, rounded towards zero; of more than there are, as many as there are.
    public var microseconds: Int64 {
        // Taken apart once: that is a division of 128 bits.
        let (seconds, attoseconds) = components
        return seconds.multipliedClamped(by: 1_000_000).addedClamped(attoseconds / 1_000_000_000_000)
    }
    /// Whole milliseconds, rounded towards zero.
    public var milliseconds: Int64 { microseconds / 1000 }
}

extension Int64 {
    func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, isOver) = multipliedReportingOverflow(by: factor)
        return isOver ? (self < 0) == (factor < 0) ? .max : .min : product
    }

    func addedClamped(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? other < 0 ? .min : .max : sum
    }

    func subtractedClamped(_ other: Int64) -> Int64 {
        let (difference, isOver) = subtractingReportingOverflow(other)
        return isOver ? other < 0 ? .max : .min : difference
    }

    func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
