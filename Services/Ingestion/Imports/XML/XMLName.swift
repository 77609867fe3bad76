import Glibc

/// The name of an element or attribute, valid during the call that gives it. It is compared by its local part, since exporters
/// use several namespaces for one vocabulary: `case "hr":`.
struct XMLName {
    private let local: UnsafeBufferPointer<UInt8>

    /// A name as it is written, with its prefix.
    init(_ name: UnsafeBufferPointer<UInt8>) {
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        local = UnsafeBufferPointer(rebasing: name[start...])
    }

    static func ~= (pattern: StaticString, name: XMLName) -> Bool { name.matches(pattern) }

    func matches(_ other: StaticString) -> Bool { local.matches(other) }

    /// The local part.
    var string: String { String(decoding: local, as: UTF8.self) }
}

extension UnsafeBufferPointer<UInt8> {
    func matches(_ other: StaticString) -> Bool {
        guard count == other.utf8CodeUnitCount, let baseAddress else { return count == other.utf8CodeUnitCount }
        return memcmp(baseAddress, other.utf8Start, count) == 0
    }

    func starts(with other: StaticString) -> Bool {
        guard count >= other.utf8CodeUnitCount, let baseAddress else { return other.utf8CodeUnitCount == 0 }
        return memcmp(baseAddress, other.utf8Start, other.utf8CodeUnitCount) == 0
    }

    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count, let baseAddress, let start = other.baseAddress else { return count == other.count }
        return memcmp(baseAddress, start, count) == 0
    }

    func isEqual(to bytes: [UInt8]) -> Bool {
        guard count == bytes.count, let baseAddress else { return count == bytes.count }
        return bytes.withUnsafeBytes { $0.baseAddress.map { memcmp(baseAddress, $0, count) == 0 } ?? true }
    }
}
