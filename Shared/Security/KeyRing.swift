import Glibc
import Primitives

/// The keys that encrypt fields, by id; one of them is current. Rotation: add a key, make it current, re-encrypt
/// (`FieldCipher.resealed`), remove the old one.
///
/// On disk a ring is a directory: `NAME.key` holds 32 bytes as padded base64, `current` the NAME of the current key.
/// Names are 1 to 32 letters, digits, `-` and `_`. None of the files may be accessible to everybody. Other files are
/// ignored.
public struct KeyRing: Sendable {
    public static let keysMax = 64
    static let identifierBytesMax = 32

    public let currentIdentifier: String
    let current: SecretKey
    private let keys: [String: SecretKey]

    public init(_ keys: [String: SecretKey], current: String) throws(SecurityError) {
        guard keys.count <= Self.keysMax else { throw .malformed("more than \(Self.keysMax) keys in a ring") }
        for identifier in keys.keys where !Self.isIdentifier(identifier) {
            throw .malformed("a key id that is not 1 to 32 letters, digits, - or _")
        }
        guard let key = keys[current] else { throw .unknownKey(current) }
        self.keys = keys
        self.currentIdentifier = current
        self.current = key
    }

    public static func load(directory: String) throws(SecurityError) -> KeyRing {
        var keys: [String: SecretKey] = [:]
        for name in try names(in: directory) where name.hasSuffix(".key") {
            let identifier = String(name.dropLast(4))
            guard isIdentifier(identifier) else {
                throw .keyFile(path: "\(directory)/\(name)", reason: "its name is not 1 to 32 letters, digits, - or _")
            }
            guard keys.count < keysMax else { throw .keyFile(path: directory, reason: "more than \(keysMax) keys") }
            keys[identifier] = try SecretKey.load(file: "\(directory)/\(name)")
        }
        let current = try SecretFile.text("\(directory)/current")
        guard keys[current] != nil else {
            throw .keyFile(path: "\(directory)/current", reason: "names no key of this directory")
        }
        return try KeyRing(keys, current: current)
    }

    /// Writes a new random key to the directory and makes it current. Refuses a name that is taken.
    public static func addKey(_ identifier: String, directory: String) throws(SecurityError) {
        guard isIdentifier(identifier) else {
            throw .malformed("a key id that is not 1 to 32 letters, digits, - or _")
        }
        try SecretFile.create(
            "\(directory)/\(identifier).key",
            text: Base64.standard.encode(randomBytes(SecretKey.byteCount)) + "\n")
        let marker = "\(directory)/current"
        let draft = "\(directory)/.current-\(identifier)"
        try SecretFile.create(draft, text: identifier + "\n")
        guard rename(draft, marker) == 0 else { throw SecretFile.systemError(marker) }
    }

    subscript(identifier: String) -> SecretKey? { keys[identifier] }

    private static func isIdentifier(_ text: String) -> Bool {
        (1...identifierBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func names(in directory: String) throws(SecurityError) -> [String] {
        guard let stream = opendir(directory) else { throw SecretFile.systemError(directory) }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                })
            guard names.count <= 1024 else { throw .keyFile(path: directory, reason: "more than 1024 files") }
            errno = 0
        }
        guard errno == 0 else { throw SecretFile.systemError(directory) }
        return names
    }
}
