public import Security
import Primitives

/// The files with the keys for personal fields (NFR-05).
public struct KeySettings: Decodable, Sendable {
    /// A file with one key, or the directory of a `KeyRing` while keys are being replaced.
    public var fieldKeyFile: String
    public var blindIndexKeyFile: String

    /// Reads the files.
    func load() throws(ConfigurationError) -> ServiceKeys {
        do throws(SecurityError) {
            return ServiceKeys(
                fields: FieldKeys(try ring()), blindIndex: try SecretKey.load(file: blindIndexKeyFile))
        } catch {
            throw ConfigurationError("A key cannot be read: \(error.sentence).")
        }
    }

    /// Reads the field keys only, while the service runs. The blind index key cannot be changed: rows indexed with it
    /// would not be found.
    func fieldKeys() throws(ConfigurationError) -> KeyRing {
        do throws(SecurityError) { return try ring() } catch {
            throw ConfigurationError("A key cannot be read: \(error.sentence).")
        }
    }

    private func ring() throws(SecurityError) -> KeyRing {
        guard !SmallFile.isDirectory(fieldKeyFile) else { return try KeyRing.load(directory: fieldKeyFile) }
        let name = ServiceKeys.onlyKeyName
        return try KeyRing([name: try SecretKey.load(file: fieldKeyFile)], current: name)
    }
}

/// A service's own keys.
public struct ServiceKeys: Sendable {
    /// The id of the key of a ring that has only one.
    public static let onlyKeyName = "1"

    /// For `FieldCipher`.
    public let fields: FieldKeys
    /// The master key of `BlindIndex`.
    public let blindIndex: SecretKey

    public init(fields: FieldKeys, blindIndex: SecretKey) {
        self.fields = fields
        self.blindIndex = blindIndex
    }

    /// New random keys, for tests.
    public static func random() throws(SecurityError) -> ServiceKeys {
        ServiceKeys(
            fields: FieldKeys(try KeyRing([onlyKeyName: .random()], current: onlyKeyName)), blindIndex: .random())
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
