public import Primitives

/// The key of one person's data. It is stored wrapped by the service's key; destroying the wrapped key makes everything
/// sealed with it unreadable, wherever a copy is (ACC-12).
///
/// It seals at most 2³² times (NIST SP 800-38D section 8.3, with random nonces): once a second for 136 years.
///
/// A sealed value is: version (2) ‖ nonce (12) ‖ ciphertext ‖ tag (16), authenticated together with its place.
public struct SubjectKey: Sendable {
    /// Where wrapped keys stand, as `FieldLocation` has it.
    public static let column = "subject-key"
    private static let header: [UInt8] = [2]

    private let key: SecretKey

    private init(key: SecretKey) {
        self.key = key
    }

    /// A new random key.
    public static func random() -> SubjectKey { SubjectKey(key: .random()) }

    /// Unwraps a stored key; the same errors as `FieldCipher.open`.
    public init(unwrapping wrapped: [UInt8], of subject: UUID, with cipher: FieldCipher) throws(SecurityError) {
        key = try SecretKey(cipher.open(wrapped, at: Self.location(of: subject)))
    }

    /// The key as it is stored, bound to the person. `FieldCipher.isCurrent` tells whether it needs wrapping again.
    public func wrapped(of subject: UUID, with cipher: FieldCipher) -> [UInt8] {
        cipher.seal(key.exposed, at: Self.location(of: subject))
    }

    /// Up to 64 MiB.
    public func seal(_ plaintext: [UInt8], at location: FieldLocation) -> [UInt8] {
        AES256GCM.seal(plaintext, key: key, header: Self.header, associatedData: location.associatedData)
    }

    /// Throws `malformed` or `authenticationFailed`.
    public func open(_ sealed: [UInt8], at location: FieldLocation) throws(SecurityError) -> [UInt8] {
        guard sealed.starts(with: Self.header),
            sealed.count >= Self.header.count + AES256GCM.nonceBytes + AES256GCM.tagBytes
        else { throw .malformed("not a value sealed with a person's key") }
        guard
            let plaintext = AES256GCM.open(
                sealed, headerBytes: Self.header.count, key: key, associatedData: location.associatedData)
        else { throw .authenticationFailed }
        return plaintext
    }

    /// Seals the text's UTF-8.
    public func seal(_ text: String, at location: FieldLocation) -> [UInt8] { seal(Array(text.utf8), at: location) }

    /// Opens a value that was sealed as text.
    public func openText(_ sealed: [UInt8], at location: FieldLocation) throws(SecurityError) -> String {
        guard let text = String(validating: try open(sealed, at: location), as: UTF8.self) else {
            throw .malformed("a sealed text that is not UTF-8")
        }
        return text
    }

    private static func location(of subject: UUID) -> FieldLocation { FieldLocation(column, row: subject) }
}
