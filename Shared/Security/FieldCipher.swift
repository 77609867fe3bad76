/// Encryption of single values before they are stored (NFR-05): AES-256-GCM under a key of the value's place, which comes
/// from the ring's current key (`FieldKey`).
///
/// A sealed value is: version (1) ‖ length of the key id ‖ key id ‖ nonce (12) ‖ ciphertext ‖ tag (16). Everything
/// before the nonce, and the value's place, are authenticated. Values up to 64 MiB.
public struct FieldCipher: Sendable {
    private static let version: UInt8 = 1

    private let keys: FieldKeys

    /// The ring may be replaced at any time.
    public init(_ keys: FieldKeys) {
        self.keys = keys
    }

    /// With a ring that stays.
    public init(_ ring: KeyRing) {
        self.init(FieldKeys(ring))
    }

    public func seal(_ plaintext: [UInt8], at location: FieldLocation) -> [UInt8] {
        let ring = keys.ring
        return AES256GCM.seal(
            plaintext, key: ring.current.key(at: location), header: Self.header(ring.currentIdentifier),
            associatedData: location.associatedData)
    }

    /// Seals the text's UTF-8.
    public func seal(_ text: String, at location: FieldLocation) -> [UInt8] { seal(Array(text.utf8), at: location) }

    /// Throws `malformed`, `unknownKey` (the ring lacks the key) or `authenticationFailed` (altered, or moved).
    public func open(_ sealed: [UInt8], at location: FieldLocation) throws(SecurityError) -> [UInt8] {
        let (identifier, headerBytes) = try header(of: sealed)
        guard let key = keys.ring[identifier] else { throw .unknownKey(identifier) }
        guard
            let plaintext = AES256GCM.open(
                sealed, headerBytes: headerBytes, key: key.key(at: location), associatedData: location.associatedData)
        else { throw .authenticationFailed }
        return plaintext
    }

    /// Opens a value that was sealed as text.
    public func openText(_ sealed: [UInt8], at location: FieldLocation) throws(SecurityError) -> String {
        guard let text = String(validating: try open(sealed, at: location), as: UTF8.self) else {
            throw .malformed("a sealed text that is not UTF-8")
        }
        return text
    }

    /// Whether the value was sealed with the current key.
    public func isCurrent(_ sealed: [UInt8]) -> Bool { sealed.starts(with: currentHeader) }

    public var currentIdentifier: String { keys.ring.currentIdentifier }

    /// What all values begin with that are sealed with the current key.
    public var currentHeader: [UInt8] { Self.header(keys.ring.currentIdentifier) }

    /// The value sealed again with the current key; `nil` when it already is.
    public func resealed(_ sealed: [UInt8], at location: FieldLocation) throws(SecurityError) -> [UInt8]? {
        isCurrent(sealed) ? nil : seal(try open(sealed, at: location), at: location)
    }

    private static func header(_ identifier: String) -> [UInt8] {
        [version, UInt8(identifier.utf8.count)] + Array(identifier.utf8)
    }

    private func header(of sealed: [UInt8]) throws(SecurityError) -> (identifier: String, bytes: Int) {
        guard sealed.count >= 2, sealed[0] == Self.version else {
            throw .malformed("not a sealed value of version \(Self.version)")
        }
        let end = 2 + Int(sealed[1])
        guard end > 2, end <= 2 + KeyDirectory.nameBytesMax,
            sealed.count >= end + AES256GCM.nonceBytes + AES256GCM.tagBytes,
            let identifier = String(validating: sealed[2..<end], as: UTF8.self)
        else { throw .malformed("a sealed value that is cut short") }
        return (identifier, end)
    }
}
