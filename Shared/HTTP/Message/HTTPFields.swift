/// Header fields in their order, looked up without regard to case. A few entries; not for hot look-ups.
public struct HTTPFields: Sendable, ExpressibleByDictionaryLiteral {
    public struct Entry: Sendable {
        public let name: String
        public let value: String
    }

    public private(set) var entries: [Entry] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        entries = elements.map { Entry(name: $0.0, value: $0.1) }
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The first value of `name`; setting replaces all, `nil` removes.
    public subscript(name: String) -> String? {
        get { entries.first { Self.same($0.name, name) }?.value }
        set {
            entries.removeAll { Self.same($0.name, name) }
            if let newValue { entries.append(Entry(name: name, value: newValue)) }
        }
    }

    /// One more field, beside what there is of that name.
    public mutating func add(_ name: String, _ value: String) { entries.append(Entry(name: name, value: value)) }

    public func contains(_ name: String) -> Bool { entries.contains { Self.same($0.name, name) } }

    static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && left.utf8.elementsEqual(right.utf8) { Octets.lowercased($0) == Octets.lowercased($1) }
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// A non-negative number in decimal digits.
    mutating func append(decimal value: Int) {
        guard value >= 10 else { return append(48 &+ UInt8(truncatingIfNeeded: value)) }
        var divisor = 10
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(48 &+ UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }

    mutating func append(hexadecimal value: Int) {
        for character in String(value, radix: 16).utf8 { append(character) }
    }

    /// A field line. Control characters, which would let a value begin a new line, become spaces.
    mutating func append(fieldName name: String, value: String) {
        append(name)
        append(": ")
        for octet in value.utf8 { append(Octets.isFieldValue(octet) ? octet : Octets.space) }
        append("\r\n")
    }
}
