import Domain
import HTTP
import JSON
import Primitives
import Security
import Service

/// The file that names the ambulance services, in the order in which they are tried.
///
/// `{"hooks": [{"name": "…", "url": "https://…", "secret_file": "…", "area": null | {"circle": …}, "allow_private": false}]}`;
/// `http` only to this machine, and only with `allow_private`.
struct HooksFile: Decodable {
    static let hooksMax = 100
    static let bytesMax = 1 << 20
    static let nameBytesMax = 64

    private struct Entry: Decodable {
        var name: String
        var url: String
        var secretFile: String
        var area: Area?
        private var allowPrivate: Bool?

        var allowsPrivate: Bool { allowPrivate ?? false }
    }

    private let hooks: [Entry]

    /// Reads and checks the file and the secrets that it names.
    static func load(_ path: String) throws(ConfigurationError) -> [Hook] {
        let bytes = try read(path, bytesMax: bytesMax)
        let file: HooksFile
        do throws(JSONError) {
            file = try JSONDecoder(unknownKeys: .refuse).decode(HooksFile.self, from: bytes)
        } catch {
            throw ConfigurationError("The hooks file \(path) is not valid: \(error.description).")
        }
        guard file.hooks.count <= hooksMax else {
            throw ConfigurationError("The hooks file \(path) names more than \(hooksMax) hooks.")
        }
        var hooks: [Hook] = []
        for entry in file.hooks {
            guard !hooks.contains(where: { $0.name == entry.name }) else {
                throw ConfigurationError("The hooks file \(path) names \"\(entry.name)\" twice.")
            }
            hooks.append(try hook(entry, path))
        }
        return hooks
    }

    private static func hook(_ entry: Entry, _ path: String) throws(ConfigurationError) -> Hook {
        guard isName(entry.name) else {
            throw ConfigurationError(
                "In the hooks file \(path) a name is not 1 to \(nameBytesMax) small letters, digits and hyphens.")
        }
        guard let url = HTTPURL(entry.url) else {
            throw ConfigurationError("In the hooks file \(path) the url of \"\(entry.name)\" is not valid.")
        }
        guard url.isSecure || entry.allowsPrivate && url.isOnThisMachine else {
            throw ConfigurationError(
                "In the hooks file \(path) the url of \"\(entry.name)\" is not https; "
                    + "http is for this machine only, with allow_private.")
        }
        let text = String(decoding: try read(entry.secretFile, bytesMax: 1024, isSecret: true), as: UTF8.self)
        do throws(SecurityError) {
            let secret = try WebhookSecret(String(text.split(whereSeparator: \.isWhitespace).first ?? ""))
            return Hook(
                name: entry.name, url: url, secret: secret, area: entry.area, allowsPrivate: entry.allowsPrivate)
        } catch {
            throw ConfigurationError("\(entry.secretFile) does not hold whsec_ and 24 to 64 bytes in base64.")
        }
    }

    private static func isName(_ name: String) -> Bool {
        (1...nameBytesMax).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func read(
        _ path: String, bytesMax: Int, isSecret: Bool = false
    ) throws(ConfigurationError) -> [UInt8] {
        do throws(SmallFile.Failure) {
            return try SmallFile.read(path, bytesMax: bytesMax, isSecret: isSecret)
        } catch { throw ConfigurationError(error) }
    }
}
