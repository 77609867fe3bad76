import Glibc

/// The name of an element, valid during the call that gives it. It is compared by its local part, since exporters use several
/// namespaces for one vocabulary: `case "hr":`.
struct XMLName {
    static let separator: CChar = 0x0A

    private let local: UnsafePointer<CChar>

    /// A name as expat gives it: namespace, separator, local part.
    init(_ name: UnsafePointer<CChar>) {
        local = strrchr(name, Int32(Self.separator)).map { UnsafePointer($0) + 1 } ?? name
    }

    static func ~= (pattern: StaticString, name: XMLName) -> Bool { name.matches(pattern) }

    func matches(_ other: StaticString) -> Bool {
        strncmp(local, UnsafeRawPointer(other.utf8Start).assumingMemoryBound(to: CChar.self), other.utf8CodeUnitCount)
            == 0
            && local[other.utf8CodeUnitCount] == 0
    }

    /// The local part.
    var string: String { String(cString: local) }
}
