/// A day of the proleptic Gregorian calendar, without a time zone (RFC 3339 `full-date`).
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible, LosslessStringConvertible, Codable
{
    /// Days since 1970-01-01.
    public let daysSinceEpoch: Int32

    public init(daysSinceEpoch: Int32) {
        self.daysSinceEpoch = daysSinceEpoch
    }

    /// `nil` when there is no such day; years 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, year: year)
        else { return nil }
        // Days from civil, by Howard Hinnant ("chrono-compatible low-level date algorithms").
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        daysSinceEpoch = Int32(era * 146_097 + dayOfEra - 719_468)
    }

    /// `YYYY-MM-DD`, nothing else.
    public init?(_ description: String) {
        var description = description
        guard let day = description.withUTF8({ CalendarDate($0[...]) }) else { return nil }
        self = day
    }

    init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        let start = text.startIndex
        guard text.count == 10, text[start + 4] == UInt8(ascii: "-"), text[start + 7] == UInt8(ascii: "-"),
            let year = decimal(text[start..<start + 4]), let month = decimal(text[start + 5..<start + 7]),
            let day = decimal(text[start + 8..<start + 10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public var components: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSinceEpoch) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    public var year: Int { components.year }
    public var month: Int { components.month }
    public var day: Int { components.day }

    public var description: String {
        let (year, month, day) = components
        guard (0...9999).contains(year) else { return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }
        return String(unsafeUninitializedCapacity: 10) { text in
            func put(_ number: Int, at index: Int) {
                text.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(number % 10))
            }
            put(year / 1000, at: 0)
            put(year / 100, at: 1)
            put(year / 10, at: 2)
            put(year, at: 3)
            text.initializeElement(at: 4, to: UInt8(ascii: "-"))
            put(month / 10, at: 5)
            put(month, at: 6)
            text.initializeElement(at: 7, to: UInt8(ascii: "-"))
            put(day / 10, at: 8)
            put(day, at: 9)
            return 10
        }
    }

    /// Completed years from `birth` to this day, as birthdays are counted in Italy (29 February counts on 1 March).
    public func age(bornOn birth: CalendarDate) -> Int {
        let (now, then) = (components, birth.components)
        return now.year - then.year - ((now.month, now.day) < (then.month, then.day) ? 1 : 0)
    }

    public func adding(days: Int) -> CalendarDate { CalendarDate(daysSinceEpoch: daysSinceEpoch + Int32(days)) }

    /// Midnight UTC at the start of the day; beyond what can be counted, the end of it.
    public var startUTC: Timestamp {
        Timestamp(microseconds: Int64(daysSinceEpoch).multipliedClamped(by: 86_400_000_000))
    }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        left.daysSinceEpoch < right.daysSinceEpoch
    }

    static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = CalendarDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date of the form YYYY-MM-DD")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
