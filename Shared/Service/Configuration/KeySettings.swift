public import Security
import Primitives

/// The files with the keys for personal fields (NFR-05).
public struct KeySettings: Decodable, Sendable {
    /// A file with one key, or the directory of a `KeyRing` while keys are being replaced.
    public var fieldKeyFile: String
    public var blindIndexKeyFile: String

    /// Reads them.
    func load() throws(ConfigurationError) -> ServiceKeys {
        do throws(SecurityError) {
            let ring: KeyRing
            if SmallFile.isDirectory(fieldKeyFile) {
                ring = try KeyRing.load(directory: fieldKeyFile)
            } else {
                let name = ServiceKeys.onlyKeyName
                ring = try KeyRing([name: try SecretKey.load(file: fieldKeyFile)], current: name)
            }
            return ServiceKeys(fields: ring, blindIndex: try SecretKey.load(file: blindIndexKeyFile))
        } catch {
            throw ConfigurationError("A key cannot be read: \(error.sentence).")
        }
    }
}

/// A service's own keys.
public struct ServiceKeys: Sendable {
    /// The id of the key of a ring that has only one.
    public static let onlyKeyName = "1"

    /// For `FieldCipher`.
    public let fields: KeyRing
    /// The master key of `BlindIndex`.
    public let blindIndex: SecretKey

    public init(fields: KeyRing, blindIndex: SecretKey) {
        self.fields = fields
        self.blindIndex = blindIndex
    }

    /// New random keys, for tests.
    public static func random() throws(SecurityError) -> ServiceKeys {
        ServiceKeys(
            fields: try KeyRing([onlyKeyName: .random()], current: onlyKeyName), blindIndex: .random())
    }
}

extension SecurityError {
    /// For people; names files, never a secret.
    var sentence: String {
        switch self {
        case .keyFile(let path, let reason): "\(path): \(reason)"
        case .malformed(let what): what
        case .unknownKey(let name): "there is no key \(name)"
        default: "\(self)"
        }
    }
}
