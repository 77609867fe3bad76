/// Encryption of single values before they are stored (NFR-05): AES-256-GCM under the ring's current key.
///
/// A sealed value is: version (1) ‖ length of the key id ‖ key id ‖ nonce (12) ‖ ciphertext ‖ tag (16). Everything
/// before the nonce, and the value's place, are authenticated. Values up to 64 MiB.
public struct FieldCipher: Sendable {
    private static let version: UInt8 = 1

    private let ring: KeyRing
    /// What stands before the nonce with the current key.
    private let currentHeader: [UInt8]

    public init(_ ring: KeyRing) {
        self.ring = ring
        currentHeader = [Self.version, UInt8(ring.currentIdentifier.utf8.count)] + Array(ring.currentIdentifier.utf8)
    }

    public func seal(_ plaintext: [UInt8], at location: FieldLocation) -> [UInt8] {
        AES256GCM.seal(
            plaintext, key: ring.current, header: currentHeader, associatedData: location.associatedData)
    }

    /// Seals the text's UTF-8.
    public func seal(_ text: String, at location: FieldLocation) -> [UInt8] { seal(Array(text.utf8), at: location) }

    /// Throws `malformed`, `unknownKey` (the ring lacks the key) or `authenticationFailed` (altered, or moved).
    public func open(_ sealed: [UInt8], at location: FieldLocation) throws(SecurityError) -> [UInt8] {
        let (identifier, headerBytes) = try header(of: sealed)
        guard let key = ring[identifier] else { throw .unknownKey(identifier) }
        guard
            let plaintext = AES256GCM.open(
                sealed, headerBytes: headerBytes, key: key, associatedData: location.associatedData)
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

    /// The value sealed again with the current key; `nil` when it already is.
    public func resealed(_ sealed: [UInt8], at location: FieldLocation) throws(SecurityError) -> [UInt8]? {
        isCurrent(sealed) ? nil : seal(try open(sealed, at: location), at: location)
    }

    private func header(of sealed: [UInt8]) throws(SecurityError) -> (identifier: String, bytes: Int) {
        guard sealed.count >= 2, sealed[0] == Self.version else {
            throw .malformed("not a sealed value of version \(Self.version)")
        }
        let end = 2 + Int(sealed[1])
        guard end > 2, end <= 2 + KeyRing.identifierBytesMax,
            sealed.count >= end + AES256GCM.nonceBytes + AES256GCM.tagBytes,
            let identifier = String(validating: sealed[2..<end], as: UTF8.self)
        else { throw .malformed("a sealed value that is cut short") }
        return (identifier, end)
    }
}
