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
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            for digit in 0..<4 {
                if digit <= left {
                    text.append(symbols[Int(group >> (18 - 6 * UInt32(digit)) & 63)])
                } else if self == .standard {
                    text.append(UInt8(ascii: "="))
                }
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Strict: the alphabet's characters, the right padding, no spare bits. Anything else is `nil`.
    public func decode(_ text: some StringProtocol) -> [UInt8]? {
        var symbols = Array(text.utf8)
        if self == .standard {
            guard symbols.count % 4 == 0 else { return nil }
            for _ in 0..<2 where symbols.last == UInt8(ascii: "=") { symbols.removeLast() }
        }
        guard symbols.count % 4 != 1 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(symbols.count * 3 / 4)
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for symbol in symbols {
            guard let value = value(of: symbol) else { return nil }
            pending = pending << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        guard pending & ((1 << bits) - 1) == 0 else { return nil }
        return result
    }

    private func value(of symbol: UInt8) -> UInt8? {
        switch (symbol, self) {
        case (UInt8(ascii: "A")...UInt8(ascii: "Z"), _): symbol - UInt8(ascii: "A")
        case (UInt8(ascii: "a")...UInt8(ascii: "z"), _): symbol - UInt8(ascii: "a") + 26
        case (UInt8(ascii: "0")...UInt8(ascii: "9"), _): symbol - UInt8(ascii: "0") + 52
        case (UInt8(ascii: "+"), .standard), (UInt8(ascii: "-"), .url): 62
        case (UInt8(ascii: "/"), .standard), (UInt8(ascii: "_"), .url): 63
        default: nil
        }
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
