/// Lower-case hexadecimal.
public func hex(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
        text.append(hexDigit(byte >> 4))
        text.append(hexDigit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
}

/// Hexadecimal in either case; `nil` for an odd count or another character.
public func bytes(hex text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var half: UInt8?
    for character in text.utf8 {
        guard let value = hexValue(character) else { return nil }
        if let first = half {
            result.append(first << 4 | value)
            half = nil
        } else {
            half = value
        }
    }
    return half == nil ? result : nil
}

/// The two alphabets of RFC 4648: `standard` is padded, `url` is not.
public enum Base64: Sendable {
    case standard
    case url

    private var alphabet: StaticString {
        switch self {
        case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        case .url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        }
    }

    public func encode(_ bytes: [UInt8]) -> String {
        let symbols = alphabet.utf8Start
        let whole = bytes.count / 3
        let left = bytes.count % 3
        let padding = self == .standard && left > 0 ? 3 - left : 0
        let count = whole * 4 + (left > 0 ? left + 1 : 0) + padding
        return String(unsafeUninitializedCapacity: count) { text in
            var place = 0
            func add(_ group: UInt32, _ digits: Int) {
                for digit in 0..<digits {
                    text[place] = symbols[Int(group >> (18 - 6 * UInt32(digit)) & 63)]
                    place += 1
                }
            }
            bytes.withUnsafeBufferPointer { bytes in
                for index in stride(from: 0, to: whole * 3, by: 3) {
                    add(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]), 4)
                }
                guard left > 0 else { return }
                let last = UInt32(bytes[whole * 3]) << 16 | (left > 1 ? UInt32(bytes[whole * 3 + 1]) << 8 : 0)
                add(last, left + 1)
            }
            for _ in 0..<padding {
                text[place] = UInt8(ascii: "=")
                place += 1
            }
            return place
        }
    }

    /// Strict: the alphabet's characters, the right padding, no spare bits. Anything else is `nil`.
    public func decode(_ text: Substring) -> [UInt8]? { decode(String(text)) }

    /// Strict: the alphabet's characters, the right padding, no spare bits. Anything else is `nil`.
    public func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { text in
            var count = text.count
            if self == .standard {
                guard count % 4 == 0 else { return nil }
                for _ in 0..<2 where count > 0 && text[count - 1] == UInt8(ascii: "=") { count -= 1 }
            }
            guard count % 4 != 1 else { return nil }
            return values.withUnsafeBufferPointer { Self.decode(UnsafeBufferPointer(rebasing: text[..<count]), $0) }
        }
    }

    /// Whole groups of four characters, and two or three at the end. Of characters without a value the highest bit is set.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>
    ) -> [UInt8]? {
        let (whole, left) = (text.count / 4, text.count % 4)
        var wrong: UInt8 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: whole * 3 + 2) { bytes, count in
            func value(_ place: Int) -> UInt32 {
                let value = values[Int(text[place])]
                wrong |= value
                return UInt32(value)
            }
            for group in 0..<whole {
                let place = group * 4
                let bits = value(place) << 18 | value(place + 1) << 12 | value(place + 2) << 6 | value(place + 3)
                bytes[group * 3] = UInt8(truncatingIfNeeded: bits >> 16)
                bytes[group * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                bytes[group * 3 + 2] = UInt8(truncatingIfNeeded: bits)
            }
            count = whole * 3
            guard left > 0 else { return }
            let place = whole * 4
            let bits = value(place) << 18 | value(place + 1) << 12 | (left == 3 ? value(place + 2) << 6 : 0)
            for index in 0..<left - 1 {
                bytes[count] = UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(index)))
                count += 1
            }
            // Bits that are no part of a byte.
            if bits & (left == 3 ? 0xff : 0xffff) != 0 { wrong = 0xff }
        }
        return wrong < 64 ? bytes : nil
    }

    private var values: [UInt8] { self == .standard ? Self.valuesOfStandard : Self.valuesOfURL }
    private static let valuesOfStandard = standard.valuesOfCharacters
    private static let valuesOfURL = url.valuesOfCharacters

    /// Of each character; 0xff for those that the alphabet lacks.
    private var valuesOfCharacters: [UInt8] {
        var values = [UInt8](repeating: 0xff, count: 256)
        for value in 0..<64 { values[Int(alphabet.utf8Start[value])] = UInt8(value) }
        return values
    }
}

func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }

func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// Decimal digits only; the caller bounds how many.
@inline(__always) func decimal(_ digits: some Sequence<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
}

/// A non-negative number with leading zeros.
func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
