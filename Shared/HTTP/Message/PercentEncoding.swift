/// Percent-encoding (RFC 3986 §2.1) and the query items of `application/x-www-form-urlencoded`.
public enum PercentEncoding {
    /// Decoded text; `nil` for a broken escape, for what is not UTF-8, and for control characters (NUL among them, which
    /// PostgreSQL does not take).
    static func decode(_ octets: UnsafeRawBufferPointer, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(octets.count)
        var index = 0
        while index < octets.count {
            var octet = octets[index]
            if octet == UInt8(ascii: "%") {
                guard index + 2 < octets.count, let high = Octets.hexadecimal(octets[index + 1]),
                    let low = Octets.hexadecimal(octets[index + 2])
                else { return nil }
                octet = high << 4 | low
                index += 2
            } else if plusIsSpace, octet == UInt8(ascii: "+") {
                octet = Octets.space
            }
            guard octet >= Octets.space, octet != 127 else { return nil }
            decoded.append(octet)
            index += 1
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Everything but `unreserved` encoded, fit for a path segment or a query value.
    public static func encode(_ text: String) -> String {
        let digits: StaticString = "0123456789ABCDEF"
        var encoded: [UInt8] = []
        for octet in text.utf8 {
            if Octets.isUnreserved(octet) {
                encoded.append(octet)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digits.utf8Start[Int(octet >> 4)])
                encoded.append(digits.utf8Start[Int(octet & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
