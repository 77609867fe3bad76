import Glibc

/// The values of numbers whose grammar the parser has checked.
enum Number {
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Exact, or `nil` when `Integer` cannot hold it. For numbers without a fraction and an exponent.
    @inline(__always)
    static func integer<Integer: FixedWidthInteger>(
        _ text: UnsafePointer<UInt8>, count: Int, as: Integer.Type
    ) -> Integer? {
        let isNegative = text[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        var magnitude: UInt64 = 0
        // 20 digits may overflow; 19 do not.
        guard count &- index <= 20 else { return nil }
        let safe = min(count, index &+ 19)
        while index < safe {
            magnitude = magnitude &* 10 &+ UInt64(text[index] &- UInt8(ascii: "0"))
            index &+= 1
        }
        if index < count {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(text[index] &- UInt8(ascii: "0")))
            if overflow || carry { return nil }
            magnitude = sum
        }
        if !isNegative { return Integer(exactly: magnitude) }
        if magnitude > UInt64(1) << 63 { return nil }
        return Integer(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    /// The nearest double (ties to even); `nil` when that is infinite.
    @inline(__always) static func double(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
        let isNegative = text[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        var mantissa: UInt64 = 0
        var exponent = 0
        let start = index
        while index < count, text[index] &- UInt8(ascii: "0") < 10 {
            mantissa = mantissa &* 10 &+ UInt64(text[index] &- UInt8(ascii: "0"))
            index &+= 1
        }
        var digits = index &- start
        if index < count, text[index] == UInt8(ascii: ".") {
            index &+= 1
            let fraction = index
            while index < count, text[index] &- UInt8(ascii: "0") < 10 {
                mantissa = mantissa &* 10 &+ UInt64(text[index] &- UInt8(ascii: "0"))
                index &+= 1
            }
            exponent = fraction &- index
            digits &-= exponent
        }
        guard digits <= 19 else { return slowDouble(text, count) }
        if index < count {
            index &+= 1
            var sign = 1
            if text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
                sign = text[index] == UInt8(ascii: "-") ? -1 : 1
                index &+= 1
            }
            guard count &- index <= 3 else { return slowDouble(text, count) }
            var written = 0
            while index < count {
                written = written &* 10 &+ Int(text[index] &- UInt8(ascii: "0"))
                index &+= 1
            }
            exponent &+= sign &* written
        }
        // Clinger 1990: both operands are exact, so the one rounding is right.
        guard mantissa <= 1 << 53, exponent >= -22, exponent <= 22 else { return slowDouble(text, count) }
        var value = Double(mantissa)
        if exponent < 0 { value /= powersOfTen[-exponent] } else { value *= powersOfTen[exponent] }
        return isNegative ? -value : value
    }

    /// The C library's conversion, which rounds correctly; the process stays in the C locale.
    @inline(never) private static func slowDouble(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
        let value = terminated(text, count) { strtod($0, nil) }
        return value.isFinite ? value : nil
    }

    /// The nearest single-precision number; `nil` when that is infinite.
    static func float(_ text: UnsafePointer<UInt8>, count: Int) -> Float? {
        let value = terminated(text, count) { strtof($0, nil) }
        return value.isFinite ? value : nil
    }

    private static func terminated<Value>(
        _ text: UnsafePointer<UInt8>, _ count: Int, _ convert: (UnsafePointer<CChar>) -> Value
    ) -> Value {
        var copy = [CChar](repeating: 0, count: count + 1)
        for index in 0..<count { copy[index] = CChar(truncatingIfNeeded: text[index]) }
        return convert(&copy)
    }
}
