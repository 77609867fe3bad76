import Domain
import HTTP
import JSON
import Primitives
import Security
import Service
import Synchronization

/// A receiver of messages that is no ambulance service: who sends text messages or places calls for us (SOS-09), or is told of
/// operators' alarms.
struct MessageHook: Sendable {
    enum Kind: String, Sendable, Codable {
        /// Sends a text message to a contact.
        case sms
        /// Calls a contact and says a text.
        case call
        /// The operator.
        case alarm
        /// Whoever is told when the operator does not answer.
        case escalation
    }

    let kind: Kind
    let name: String
    let url: HTTPURL
    let secret: WebhookSecret
    let allowsPrivate: Bool

    /// As `HookCaller` calls it.
    var hook: Hook { Hook(name: name, url: url, secrets: [secret], area: nil, allowsPrivate: allowsPrivate) }
}

/// The message hooks in force; replaced as a whole when their file is read again.
final class MessageHooks: Sendable {
    private let list: Mutex<[MessageHook]>

    init(_ hooks: [MessageHook] = []) {
        list = Mutex(hooks)
    }

    func replace(_ hooks: [MessageHook]) { list.withLock { $0 = hooks } }

    /// In the order in which they are tried.
    func all(_ kind: MessageHook.Kind) -> [MessageHook] { list.withLock { $0.filter { $0.kind == kind } } }

    subscript(name: String) -> MessageHook? { list.withLock { $0.first { $0.name == name } } }
}

/// The file that names the message hooks, in the order in which they are tried.
///
/// `{"hooks": [{"name": "…", "kind": "sms", "url": "https://…", "secret_file": "…", "allow_private": false}]}`; `http` only to
/// this machine, and only with `allow_private`. Names are unique.
struct MessageHooksFile: Decodable {
    static let hooksMax = 32
    static let bytesMax = 1 << 18

    private struct Entry: Decodable {
        let name: String
        let kind: MessageHook.Kind
        let url: String
        let secretFile: String
        let allowPrivate: Bool?
    }

    private let hooks: [Entry]

    /// Reads and checks the file and the secrets that it names; nothing where there is no file.
    static func load(_ path: String?) throws(ConfigurationError) -> [MessageHook] {
        guard let path else { return [] }
        let bytes = try HooksFile.read(path, bytesMax: bytesMax)
        let file: MessageHooksFile
        do throws(JSONError) {
            file = try JSONDecoder(unknownKeys: .refuse).decode(Self.self, from: bytes)
        } catch { throw ConfigurationError("The file of message hooks \(path) is not valid: \(error.description).") }
        guard file.hooks.count <= hooksMax else {
            throw ConfigurationError("The file of message hooks \(path) names more than \(hooksMax) hooks.")
        }
        var hooks: [MessageHook] = []
        for entry in file.hooks {
            guard !hooks.contains(where: { $0.name == entry.name }) else {
                throw ConfigurationError("The file of message hooks \(path) names \"\(entry.name)\" twice.")
            }
            hooks.append(try hook(entry, path))
        }
        return hooks
    }

    private static func hook(_ entry: Entry, _ path: String) throws(ConfigurationError) -> MessageHook {
        guard HooksFile.isName(entry.name) else {
            throw ConfigurationError(
                "In the file of message hooks \(path) a name is not 1 to \(HooksFile.nameBytesMax) small letters, digits and hyphens."
            )
        }
        let allowsPrivate = entry.allowPrivate ?? false
        guard let url = HTTPURL(entry.url), url.isSecure || allowsPrivate && url.isOnThisMachine else {
            throw ConfigurationError(
                "In the file of message hooks \(path) the url of \"\(entry.name)\" is not https; "
                    + "http is for this machine only, with allow_private.")
        }
        let text = String(decoding: try HooksFile.read(entry.secretFile, bytesMax: 1024, isSecret: true), as: UTF8.self)
        do throws(SecurityError) {
            let secret = try WebhookSecret(String(text.split(whereSeparator: \.isWhitespace).first ?? ""))
            return MessageHook(
                kind: entry.kind, name: entry.name, url: url, secret: secret, allowsPrivate: allowsPrivate)
        } catch { throw ConfigurationError("\(entry.secretFile) does not hold whsec_ and 24 to 64 bytes in base64.") }
    }
}
