import Domain
import Glibc
import Primitives

/// Numbers and times as files of text write them.
enum ImportText {
    private static let numberBytesMax = 63

    /// A decimal number, as `xsd:double` without INF and NaN is; blanks around it are dropped.
    static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        let bytes = trimmed(text)
        if let quick = shortNumber(bytes) { return quick }
        guard !bytes.isEmpty, bytes.count <= numberBytesMax, bytes.allSatisfy(isPartOfNumber) else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: numberBytesMax + 1) { buffer in
            for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
            buffer[bytes.count] = 0
            guard let start = buffer.baseAddress else { return nil }
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end == start + bytes.count && value.isFinite ? value : nil
        }
    }

    /// At most 15 digits without an exponent: an integer below 2^53 divided by an exact power of ten is rounded correctly
    /// (Clinger 1990).
    private static func shortNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard !bytes.isEmpty, bytes.count <= 17 else { return nil }
        var position = 0
        let isNegative = bytes[0] == UInt8(ascii: "-")
        if isNegative { position = 1 }
        var (digits, decimals, mantissa) = (0, 0, Int64(0))
        var hasPoint = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                mantissa = mantissa * 10 + Int64(byte - UInt8(ascii: "0"))
                digits += 1
                if hasPoint { decimals += 1 }
            }
            position += 1
        }
        guard digits > 0, digits <= 15 else { return nil }
        let value = Double(mantissa) / powersOfTen[decimals]
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// A time as it is written: what the clock shows and, if it says so, where.
    struct Time: Equatable {
        let time: Timestamp
        /// `nil` when the text says UTC by `Z`, which is not where somebody was, or says nothing.
        let zone: ZoneOffset?
        /// Neither an offset nor `Z`: `time` is what the clock shows, taken as UTC.
        let isLocal: Bool
    }

    /// `2026-01-31T12:00:00.123+01:00`: between date and time `T` or a blank; seconds and their fraction (cut to microseconds)
    /// may be missing; the offset `Z`, `+01:00`, `+0100`, `+01`, or missing, with or without a blank before it.
    static func time(_ text: UnsafeBufferPointer<UInt8>) -> Time? {
        let bytes = trimmed(text)
        guard bytes.count >= 16, bytes.count <= 40, let year = decimal(bytes, 0, 4), bytes[4] == UInt8(ascii: "-"),
            let month = decimal(bytes, 5, 2), bytes[7] == UInt8(ascii: "-"), let day = decimal(bytes, 8, 2),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            let hour = decimal(bytes, 11, 2), bytes[13] == UInt8(ascii: ":"), let minute = decimal(bytes, 14, 2),
            hour <= 23, minute <= 59, let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        var position = 16
        var (second, fraction) = (0, 0)
        if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
            guard let given = decimal(bytes, 17, 2), given <= 60 else { return nil }
            second = given
            position = 19
            if position < bytes.count, bytes[position] == UInt8(ascii: ".") || bytes[position] == UInt8(ascii: ",") {
                position += 1
                var scale = 100_000
                let start = position
                while position < bytes.count, let digit = digit(bytes[position]) {
                    fraction += digit * scale
                    scale /= 10
                    position += 1
                }
                guard position > start else { return nil }
            }
        }
        let local =
            (Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second)) * 1_000_000
            + Int64(fraction)
        if position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
        let rest = UnsafeBufferPointer(rebasing: bytes[position...])
        if rest.isEmpty { return Time(time: Timestamp(microseconds: local), zone: nil, isLocal: true) }
        if rest.count == 1, rest[0] == UInt8(ascii: "Z") || rest[0] == UInt8(ascii: "z") {
            return Time(time: Timestamp(microseconds: local), zone: nil, isLocal: false)
        }
        guard let zone = offset(rest) else { return nil }
        return Time(
            time: Timestamp(microseconds: local - zone.milliseconds * 1000), zone: zone, isLocal: false)
    }

    /// `+01:00`, `+0100` or `+01`.
    private static func offset(_ bytes: UnsafeBufferPointer<UInt8>) -> ZoneOffset? {
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            let hours = decimal(bytes, 1, 2)
        else { return nil }
        var minutes = 0
        switch bytes.count {
        case 3: break
        case 5:
            guard let given = decimal(bytes, 3, 2) else { return nil }
            minutes = given
        case 6:
            guard bytes[3] == UInt8(ascii: ":"), let given = decimal(bytes, 4, 2) else { return nil }
            minutes = given
        default: return nil
        }
        guard minutes < 60 else { return nil }
        let total = hours * 60 + minutes
        return ZoneOffset(minutes: bytes[0] == UInt8(ascii: "-") ? -total : total)
    }

    private static func decimal(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
        guard start + count <= bytes.count else { return nil }
        var value = 0
        for index in start..<start + count {
            guard let digit = digit(bytes[index]) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var (start, end) = (0, text.count)
        while start < end, text[start] <= 0x20 { start += 1 }
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }
}
