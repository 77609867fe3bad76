/// The offset of local time from UTC, as a device or a time zone tells it: whole minutes, −18:00 to +18:00 (ISO 8601). Text
/// and JSON: `+02:00`, `-03:30`, `Z` for none.
public struct ZoneOffset: Hashable, Sendable {
    public static let minutesMax: Int16 = 18 * 60
    public static let utc = ZoneOffset(unchecked: 0)

    public let minutes: Int16

    private init(unchecked minutes: Int16) { self.minutes = minutes }

    public init?(minutes: Int) {
        guard abs(minutes) <= Int(Self.minutesMax) else { return nil }
        self.init(unchecked: Int16(minutes))
    }

    public var milliseconds: Int64 { Int64(minutes) * 60_000 }
}

extension ZoneOffset: LosslessStringConvertible, Codable {
    public var description: String {
        guard minutes != 0 else { return "Z" }
        let (hours, rest) = abs(Int(minutes)).quotientAndRemainder(dividingBy: 60)
        return "\(minutes < 0 ? "-" : "+")\(Self.twoDigits(hours)):\(Self.twoDigits(rest))"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// `+02:00`, `+0200`, `+02` or `Z`.
    public init?(_ description: String) {
        let text = Array(description.utf8)
        guard let sign = text.first else { return nil }
        if text.count == 1, sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") {
            self = .utc
            return
        }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var digits = Array(text.dropFirst())
        if digits.count == 5 {
            guard digits[2] == UInt8(ascii: ":") else { return nil }
            digits.remove(at: 2)
        }
        guard digits.count == 2 || digits.count == 4,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let numbers = digits.map { Int($0 - UInt8(ascii: "0")) }
        let minutes = numbers.count == 4 ? numbers[2] * 10 + numbers[3] : 0
        guard minutes < 60 else { return nil }
        let total = (numbers[0] * 10 + numbers[1]) * 60 + minutes
        self.init(minutes: sign == UInt8(ascii: "-") ? -total : total)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let offset = ZoneOffset(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "write an offset from UTC as \"+02:00\" is, -18:00 to +18:00")
        }
        self = offset
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
