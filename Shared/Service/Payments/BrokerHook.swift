public import HTTP
import Primitives
public import Security

/// Where the broker is, and the files with the secrets (Standard Webhooks). A file may hold two: while a secret is replaced, both hold.
public struct BrokerSettings: Decodable, Sendable {
    public let url: String
    /// With which our calls are signed.
    public let secretFile: String
    /// With which the broker signs its own.
    public let callBackSecretFile: String
    private let allowPrivate: Bool?

    /// Whether the broker's address may be on this network or this machine.
    public var allowsPrivate: Bool { allowPrivate ?? false }
}

/// The broker's hook, read from what the settings name.
public struct BrokerHook: Sendable {
    private static let secretBytesMax = 1024
    private static let secretsMax = 2

    public let url: HTTPURL
    public let secrets: [WebhookSecret]
    public let callBackSecrets: [WebhookSecret]
    public let allowsPrivate: Bool

    /// Reads and checks the settings and the files that they name. Secrets of the two directions differ: what we have signed
    /// would be good as the broker's own call.
    public static func load(_ settings: BrokerSettings) throws(ConfigurationError) -> BrokerHook {
        guard let url = HTTPURL(settings.url), !settings.url.contains("?"), !settings.url.contains("#") else {
            throw ConfigurationError("The url of the payments' broker is not valid; it has no query.")
        }
        guard url.isSecure || settings.allowsPrivate && url.isOnThisMachine else {
            throw ConfigurationError(
                "The url of the payments' broker is not https; http is for this machine only, with allow_private.")
        }
        let (own, theirs) = (try secrets(settings.secretFile), try secrets(settings.callBackSecretFile))
        guard Set(own.map(\.text)).isDisjoint(with: theirs.map(\.text)) else {
            throw ConfigurationError(
                "\(settings.secretFile) and \(settings.callBackSecretFile) hold the same secret; give each direction its own."
            )
        }
        return BrokerHook(url: url, secrets: own, callBackSecrets: theirs, allowsPrivate: settings.allowsPrivate)
    }

    private static func secrets(_ path: String) throws(ConfigurationError) -> [WebhookSecret] {
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.read(path, bytesMax: secretBytesMax, isSecret: true)
        } catch { throw ConfigurationError(error) }
        var secrets: [WebhookSecret] = []
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        for word in words {
            do throws(SecurityError) { secrets.append(try WebhookSecret(String(word))) } catch { secrets = [] }
        }
        guard (1...secretsMax).contains(words.count), secrets.count == words.count else {
            throw ConfigurationError(
                "\(path) does not hold whsec_ and 24 to 64 bytes in base64, once or, while it is replaced, twice.")
        }
        return secrets
    }

    /// Where invoices are announced.
    public var invoices: HTTPURL? {
        let text = url.description
        return HTTPURL(text.hasSuffix("/") ? "\(text)invoices" : "\(text)/invoices")
    }

    /// Whether third parties may be sent there: as the broker itself is reached.
    public func takes(link text: String) -> Bool {
        guard text.utf8.count <= 2048, let link = HTTPURL(text) else { return false }
        return link.isSecure || allowsPrivate && link.isOnThisMachine
    }
}
