/// Look-ups in an encrypted column: HMAC-SHA-256 of the value under a key of that column, derived from the master key
/// by HKDF with the column's name as info. Equal values give equal indexes within a column and unrelated ones
/// elsewhere.
public struct BlindIndex: Sendable {
    /// Bytes of an index.
    public static let byteCount = HMACKey.codeByteCount

    private let key: HMACKey

    /// `column` is `schema.table.column`. The master key should not be one that encrypts.
    public init(master: SecretKey, column: String) {
        key = HMACKey(HKDF.derive(from: master, info: "blind-index:" + column))
    }

    /// 32 bytes. The caller normalises the value (case, spaces), so that what counts as equal is equal.
    public func index(_ value: [UInt8]) -> [UInt8] { key.code(for: value) }

    /// The index of the parts put together.
    public func index(_ parts: [[UInt8]]) -> [UInt8] { key.code(for: parts) }

    /// The index of the text's UTF-8.
    public func index(_ value: String) -> [UInt8] { index(Array(value.utf8)) }
}
