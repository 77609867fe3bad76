import Primitives

/// The keys that encrypt fields, by id; one of them is current. Rotation: add a key everywhere, make it current
/// everywhere, seal everything again (`FieldCipher.resealed`), remove the old one.
///
/// On disk a ring is a `KeyDirectory`, in which `NAME.key` holds 32 bytes as padded base64.
public struct KeyRing: Sendable {
    public static let keysMax = KeyDirectory.keysMax
    private static let ending = ".key"

    public let currentIdentifier: String
    let current: FieldKey
    private let keys: [String: FieldKey]

    public init(_ keys: [String: SecretKey], current: String) throws(SecurityError) {
        guard keys.count <= Self.keysMax else { throw .malformed("more than \(Self.keysMax) keys in a ring") }
        for identifier in keys.keys { try Self.check(identifier) }
        guard let key = keys[current].map(FieldKey.init) else { throw .unknownKey(current) }
        self.keys = keys.mapValues(FieldKey.init)
        self.currentIdentifier = current
        self.current = key
    }

    public static func load(directory: String) throws(SecurityError) -> KeyRing {
        let (names, current) = try KeyDirectory.read(directory, ending: ending)
        var keys: [String: SecretKey] = [:]
        for name in names { keys[name] = try SecretKey.load(file: "\(directory)/\(name)\(ending)") }
        return try KeyRing(keys, current: current)
    }

    public var identifiers: [String] { keys.keys.sorted() }

    subscript(identifier: String) -> FieldKey? { keys[identifier] }

    private static func check(_ identifier: String) throws(SecurityError) {
        guard KeyDirectory.isName(identifier) else {
            throw .malformed("a key id that is not 1 to 32 letters, digits, - or _")
        }
    }
}
