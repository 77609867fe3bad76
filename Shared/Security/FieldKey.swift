/// A key of a ring: it encrypts nothing itself, but gives each place (column and row) a key of its own.
///
/// AES-GCM with random nonces of 96 bits may encrypt 2³² times with a key (NIST SP 800-38D section 8.3): more, and two
/// nonces agree with a probability above 2⁻³², which gives both plaintexts and the authentication key away. One key for
/// all fields of a service reaches that: 10,000 values a second do so in five days, and counting what all replicas encrypt
/// would take a write for each value. With a key for each place the bound holds for how often one value is written anew:
/// 2³² times is three times a second for 45 years, the fastest that anything here is rewritten. So nothing has to be
/// counted. The keys are those of SP 800-108r1 section 4.1 (counter mode, HMAC with SHA-256, one block).
final class FieldKey: Sendable {
    /// [1]₃₂ ‖ label ‖ 0.
    private static let prefix: [UInt8] = [0, 0, 0, 1] + Array("trackme field".utf8) + [0]
    /// [256]₃₂: the bits that are derived.
    private static let suffix: [UInt8] = [0, 0, 1, 0]

    private let key: HMACKey

    init(_ key: SecretKey) {
        self.key = HMACKey(key)
    }

    /// The key of a place.
    func key(at location: FieldLocation) -> SecretKey {
        key.derivedKey(of: [Self.prefix, location.associatedData, Self.suffix])
    }
}
