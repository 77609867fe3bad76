import Domain
import Primitives

/// Text that forms are made of, written without a string for each piece.
extension [UInt8] {
    mutating func append(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }

    /// A number of `decimals` decimal places that was made an integer (`DataType.scaled`): `615` with one is `61.5`. Zeros at
    /// the end of a fraction are left out.
    mutating func append(scaled: Int64, decimals: Int) {
        var (rest, decimals) = (scaled.magnitude, decimals)
        while decimals > 0, rest.isMultiple(of: 10) { (rest, decimals) = (rest / 10, decimals - 1) }
        if scaled < 0 { append(UInt8(ascii: "-")) }
        let capacity = 32
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { text in
            var (start, places) = (capacity, 0)
            func put(_ byte: UInt8) {
                start -= 1
                text.initializeElement(at: start, to: byte)
            }
            repeat {
                put(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
                places += 1
                if places == decimals { put(UInt8(ascii: ".")) }
            } while rest > 0 || places <= decimals
            append(contentsOf: text[start...])
        }
    }

    /// The 36 characters of an identifier.
    mutating func append(_ id: UUID) {
        var text = id.description
        text.withUTF8 { append(contentsOf: $0) }
    }
}

/// How the times of a series are written (RFC 3339): in the device's local time where it told it, else in UTC.
struct LocalTimes {
    /// FHIR's `dateTime` knows no greater offset, and there is none on Earth.
    private static let offsetMinutesMax = 14 * 60

    private let milliseconds: Int64
    private let offset: [UInt8]

    init(_ zone: ZoneOffset?) {
        let zone = zone.flatMap { abs(Int($0.minutes)) <= Self.offsetMinutesMax ? $0 : nil } ?? .utc
        milliseconds = zone.milliseconds
        offset = Array(zone.description.utf8)
    }

    func write(_ time: Timestamp, to bytes: inout [UInt8]) {
        time.adding(milliseconds: milliseconds).write(to: &bytes)
        // The `Z` of UTC.
        bytes.removeLast()
        bytes += offset
    }
}
