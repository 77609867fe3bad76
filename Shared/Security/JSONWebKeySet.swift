import Primitives

/// The keys that check tokens, by id, as they are published (RFC 7517, RFC 8037).
public struct JSONWebKeySet: Sendable, Equatable, Codable {
    public static let keysMax = 64

    private let keys: [String: Ed25519PublicKey]

    /// Each under its thumbprint; while a key is being replaced, the old and the new one.
    public init(_ keys: [Ed25519PublicKey]) {
        self.keys = Dictionary(keys.map { ($0.thumbprint, $0) }) { first, _ in first }
    }

    /// The key with that id.
    public subscript(identifier: String) -> Ed25519PublicKey? { keys[identifier] }

    public var count: Int { keys.count }

    public func contains(_ key: Ed25519PublicKey) -> Bool { keys.values.contains { $0 === key || $0 == key } }

    private struct Key: Codable {
        let kty: String
        var crv: String?
        var x: String?
        var kid: String?
        var use: String?
        var alg: String?
    }

    private enum CodingKeys: String, CodingKey { case keys }

    /// Keys of other kinds or for other uses are passed over (RFC 7517 section 5); a malformed one of ours is refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let listed = try container.decode([Key].self, forKey: .keys)
        func refused(_ reason: String) -> DecodingError {
            DecodingError.dataCorruptedError(forKey: .keys, in: container, debugDescription: reason)
        }
        guard listed.count <= Self.keysMax else { throw refused("more than \(Self.keysMax) keys") }
        var keys: [String: Ed25519PublicKey] = [:]
        for key in listed
        where key.kty == "OKP" && key.crv == "Ed25519" && key.use ?? "sig" == "sig" && key.alg ?? "EdDSA" == "EdDSA" {
            guard let bytes = key.x.flatMap({ Base64.url.decode($0) }), let publicKey = try? Ed25519PublicKey(bytes)
            else { throw refused("a key that is not an Ed25519 one") }
            guard keys.updateValue(publicKey, forKey: key.kid ?? publicKey.thumbprint) == nil else {
                throw refused("two keys with one id")
            }
        }
        self.keys = keys
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let listed = keys.sorted { $0.key < $1.key }.map { identifier, key in
            Key(kty: "OKP", crv: "Ed25519", x: Base64.url.encode(key.bytes), kid: identifier, use: "sig", alg: "EdDSA")
        }
        try container.encode(listed, forKey: .keys)
    }
}
