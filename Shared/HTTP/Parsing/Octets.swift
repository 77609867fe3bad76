import Glibc

/// Comparisons and character classes on raw octets, as the grammars of RFC 9110 and RFC 9112 need them.
enum Octets {
    static let carriageReturn: UInt8 = 13
    static let lineFeed: UInt8 = 10
    static let space: UInt8 = 32
    static let tab: UInt8 = 9

    /// `tchar` of RFC 9110 §5.6.2.
    @inline(__always)
    static func isToken(_ octet: UInt8) -> Bool { contains(octet, 0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe) }

    /// What may stand in a request target: `unreserved`, `sub-delims` and `:@/?[]%` of RFC 3986.
    @inline(__always)
    static func isTarget(_ octet: UInt8) -> Bool { contains(octet, 0xafff_fff2_0000_0000, 0x47ff_fffe_afff_ffff) }

    /// What may stand in `Host`: a registered name without `sub-delims`, an address, a port.
    @inline(__always)
    static func isAuthority(_ octet: UInt8) -> Bool { contains(octet, 0x07ff_6020_0000_0000, 0x47ff_fffe_afff_fffe) }

    /// `unreserved` of RFC 3986: what percent-encoding leaves as it is.
    @inline(__always)
    static func isUnreserved(_ octet: UInt8) -> Bool { contains(octet, 0x03ff_6000_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// `field-vchar`, space and tab of RFC 9110 §5.5.
    @inline(__always)
    static func isFieldValue(_ octet: UInt8) -> Bool { octet >= 32 && octet != 127 || octet == tab }

    @inline(__always)
    static func isDigit(_ octet: UInt8) -> Bool { octet &- 48 < 10 }

    @inline(__always)
    static func lowercased(_ octet: UInt8) -> UInt8 { octet &- 65 < 26 ? octet | 32 : octet }

    /// The value of a hexadecimal digit in either case.
    @inline(__always)
    static func hexadecimal(_ octet: UInt8) -> UInt8? {
        if isDigit(octet) { return octet - 48 }
        let letter = octet | 32
        return letter &- 97 < 6 ? letter - 87 : nil
    }

    @inline(__always)
    private static func contains(_ octet: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
        octet < 128 && ((octet < 64 ? low : high) >> UInt64(octet & 63)) & 1 == 1
    }

    @inline(__always)
    static func equal(_ octets: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard octets.count == text.utf8CodeUnitCount else { return false }
        guard let start = octets.baseAddress else { return true }
        return memcmp(start, text.utf8Start, octets.count) == 0
    }

    /// Whether `octets` in lower case are `text`, which must be in lower case.
    @inline(__always)
    static func equalIgnoringCase(_ octets: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard octets.count == text.utf8CodeUnitCount else { return false }
        let other = text.utf8Start
        for index in 0..<octets.count where lowercased(octets[index]) != other[index] { return false }
        return true
    }

    /// `octets` without spaces and tabs at either end.
    @inline(__always)
    static func trimmed(_ octets: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, octets.count)
        while start < end, octets[start] == space || octets[start] == tab { start += 1 }
        while end > start, octets[end - 1] == space || octets[end - 1] == tab { end -= 1 }
        return slice(octets, start, end)
    }

    @inline(__always)
    static func slice(_ octets: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: octets[start..<end])
    }

    /// The index of `octet` in `start..<end`.
    @inline(__always)
    static func index(of octet: UInt8, in octets: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        guard start < end, let base = octets.baseAddress,
            let found = memchr(base + start, Int32(octet), end - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// The elements of a comma-separated list, trimmed; empty ones are left out (RFC 9110 §5.6.1).
    static func forEachListElement(_ octets: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while start <= octets.count {
            let end = index(of: UInt8(ascii: ","), in: octets, from: start, to: octets.count) ?? octets.count
            let element = trimmed(slice(octets, start, end))
            if !element.isEmpty { body(element) }
            start = end + 1
        }
    }

    /// A decimal number of at most 18 digits, nothing else.
    static func decimal(_ octets: UnsafeRawBufferPointer) -> Int? {
        guard !octets.isEmpty, octets.count <= 18 else { return nil }
        var value = 0
        for octet in octets {
            guard isDigit(octet) else { return nil }
            value = value * 10 + Int(octet - 48)
        }
        return value
    }

    static func string(_ octets: UnsafeRawBufferPointer) -> String { String(decoding: octets, as: UTF8.self) }
}

extension [UInt8] {
    /// As `withUnsafeBytes`, with the error's type kept.
    func withOctets<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withUnsafeBufferPointer { (octets) throws(E) -> R in try body(UnsafeRawBufferPointer(octets)) }
    }
}
