/// Why a JSON text was refused or a value could not be written; its `description` is fit to be shown to a client.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The text is not JSON (RFC 8259), or an object names a member twice.
        case syntax
        /// One of `JSONLimits` was reached.
        case limit
        /// The text is JSON, but not of the shape that is asked for.
        case value
        /// A member that is asked for is absent.
        case missing
        /// A member that nobody asks for is present, and unknown members are refused.
        case unknownKey
    }

    public let kind: Kind
    /// Where, as in `$.samples[3].value`; `$` is the whole text.
    public let path: String
    /// What is wrong there, in plain words.
    public let message: String
    /// The other faults of the same text, where `JSONDecoder` found more than this one; they have no others themselves.
    public private(set) var others: [JSONError] = []

    public init(kind: Kind, path: String = "$", message: String) {
        self.kind = kind
        self.path = path
        self.message = message
    }

    public var description: String {
        switch kind {
        case .missing, .unknownKey: "`\(path)` \(message)"
        case .syntax, .limit, .value: path == "$" ? message : "\(path): \(message)"
        }
    }

    func with(others: some Collection<JSONError>) -> JSONError {
        var error = self
        error.others = Array(others)
        return error
    }

    static func syntax(_ message: String, at offset: Int) -> JSONError {
        JSONError(kind: .syntax, message: "\(message) at byte \(offset)")
    }

    /// The same error seen from the value that holds the one at `step`, a piece of a path.
    func inside(_ step: String) -> JSONError {
        JSONError(kind: kind, path: "$" + step + path.dropFirst(), message: message)
    }

    /// `.name`, or `["…"]` for a name that is not an identifier; long names are cut.
    static func step(key: String) -> String {
        let characters = key.utf8
        let isPlain =
            !characters.isEmpty && characters.count <= keyBytesShownMax
            && characters.allSatisfy { byte in
                byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        if isPlain { return ".\(key)" }
        var quoted: [UInt8] = []
        var shown = String.UnicodeScalarView()
        for scalar in key.unicodeScalars.prefix(keyBytesShownMax) { shown.append(scalar) }
        JSONWriter.string(shown.count < key.unicodeScalars.count ? "\(shown)…" : String(shown), into: &quoted)
        return "[\(String(decoding: quoted, as: UTF8.self))]"
    }

    private static let keyBytesShownMax = 64
}
