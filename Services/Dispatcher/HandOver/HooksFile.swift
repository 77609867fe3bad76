import Domain
import HTTP
import JSON
import Primitives
import Security
import Service

/// The file that names the ambulance services, in the order in which they are tried.
///
/// `{"hooks": [{"name": "…", "url": "https://…", "secret_file": "…", "area": null | {"circle": …}, "form": "json" | "cap",
/// "probes": true, "allow_private": false, "exercises": "none" | "too" | "only"}], "areas_directory": "…"}`; `http` only to this
/// machine, and only with `allow_private`. A file `NAME.geojson` in the directory of areas is the area of the hook of that name. A
/// secret file holds one secret, or two while one is being replaced.
struct HooksFile: Decodable {
    static let hooksMax = 100
    static let bytesMax = 1 << 20
    static let nameBytesMax = 64

    private struct Entry: Decodable {
        var name: String
        var url: String
        var secretFile: String
        var area: Area?
        var form: Hook.Form?
        var probes: Bool?
        var exercises: Hook.Exercises?
        private var allowPrivate: Bool?

        var allowsPrivate: Bool { allowPrivate ?? false }
    }

    private let hooks: [Entry]
    private let areasDirectory: String?

    /// What the file names, with what is to be said of its areas.
    struct Content {
        var hooks: [Hook] = []
        /// Sentences for the operator about what is allowed, and perhaps not meant.
        var remarks: [String] = []
    }

    /// Reads and checks the file, and the secrets and areas that it names.
    static func load(_ path: String) throws(ConfigurationError) -> [Hook] { try content(path).hooks }

    /// As `load`.
    static func content(_ path: String) throws(ConfigurationError) -> Content {
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
        var content = Content()
        let drawn =
            try file.areasDirectory.map { (path) throws(ConfigurationError) in try GeoJSONFile.names(in: path) } ?? []
        for name in drawn where !file.hooks.contains(where: { $0.name == name }) {
            throw ConfigurationError(
                "There is an area \(name)\(GeoJSONFile.suffix), and the hooks file \(path) names no hook \"\(name)\".")
        }
        for entry in file.hooks {
            guard !content.hooks.contains(where: { $0.name == entry.name }) else {
                throw ConfigurationError("The hooks file \(path) names \"\(entry.name)\" twice.")
            }
            var area = entry.area.map(ServiceArea.shape)
            if let directory = file.areasDirectory, drawn.contains(entry.name) {
                guard area == nil else {
                    throw ConfigurationError(
                        "The hook \"\(entry.name)\" has an area in the hooks file, and one of its own.")
                }
                let geo = try GeoJSONFile.load("\(directory)/\(entry.name)\(GeoJSONFile.suffix)")
                content.remarks += geo.remarks.map { "The area of \"\(entry.name)\": \($0)" }
                area = .drawn(geo.area)
            }
            if entry.probes == false {
                content.remarks.append("\"\(entry.name)\" is not probed: nobody is alarmed when it does not answer.")
            }
            content.hooks.append(try hook(entry, area, path))
        }
        return content
    }

    private static func hook(
        _ entry: Entry, _ area: ServiceArea?, _ path: String
    ) throws(ConfigurationError) -> Hook {
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
        return Hook(
            name: entry.name, url: url, secrets: try secrets(entry.secretFile), area: area,
            allowsPrivate: entry.allowsPrivate, form: entry.form ?? .json, isProbed: entry.probes ?? true,
            exercises: entry.exercises ?? .none)
    }

    /// Those of a file: one, or two while one is being replaced, apart by white space.
    private static func secrets(_ path: String) throws(ConfigurationError) -> [WebhookSecret] {
        let text = String(decoding: try read(path, bytesMax: 1024, isSecret: true), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        guard (1...Hook.secretsMax).contains(words.count) else {
            throw ConfigurationError(
                "\(path) holds \(words.count) words, and not one secret, or two while one is replaced.")
        }
        var secrets: [WebhookSecret] = []
        for word in words {
            do throws(SecurityError) { secrets.append(try WebhookSecret(String(word))) } catch {
                throw ConfigurationError("\(path) does not hold whsec_ and 24 to 64 bytes in base64.")
            }
        }
        return secrets
    }

    /// Of hooks of every kind.
    static func isName(_ name: String) -> Bool {
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

    /// A file of the configuration, or one that it names.
    static func read(
        _ path: String, bytesMax: Int, isSecret: Bool = false
    ) throws(ConfigurationError) -> [UInt8] {
        do throws(SmallFile.Failure) {
            return try SmallFile.read(path, bytesMax: bytesMax, isSecret: isSecret)
        } catch { throw ConfigurationError(error) }
    }
}
