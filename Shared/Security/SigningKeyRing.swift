/// The keys that sign access tokens; one of them is current. The others are to be published: the next one before it is
/// used, and the last one for as long as its tokens are good.
///
/// On disk it is a file with one key (PKCS#8, PEM), or a `KeyDirectory` with `NAME.pem`.
public struct SigningKeyRing: Sendable {
    private static let ending = ".pem"

    public let current: Ed25519Key
    /// All of them, the current one included.
    public let keys: [Ed25519Key]

    public init(current: Ed25519Key, others: [Ed25519Key] = []) {
        self.current = current
        keys = [current] + others
    }

    public static func load(_ path: String) throws(SecurityError) -> SigningKeyRing {
        KeyDirectory.exists(path)
            ? try load(directory: path) : SigningKeyRing(current: try Ed25519Key.load(file: path))
    }

    private static func load(directory: String) throws(SecurityError) -> SigningKeyRing {
        let (names, current) = try KeyDirectory.read(directory, ending: ending)
        var others: [Ed25519Key] = []
        for name in names where name != current {
            others.append(try Ed25519Key.load(file: "\(directory)/\(name)\(ending)"))
        }
        return SigningKeyRing(current: try Ed25519Key.load(file: "\(directory)/\(current)\(ending)"), others: others)
    }
}
