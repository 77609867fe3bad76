/// The name of a time zone in the IANA data base, as `Europe/Rome`. Only its form is checked: whether there is such a zone,
/// the data of the machine say.
public struct TimeZoneName: ValidatedText {
    public static let bytesMax = 64
    public static let rome = TimeZoneName(unchecked: "Europe/Rome")

    public let description: String

    private init(unchecked description: String) { self.description = description }

    /// One to three parts of letters, digits, `_`, `-` and `+`, divided by slashes. The first begins with a capital: the
    /// data base's own files and folders do not.
    public init(validating text: String) throws(TimeZoneNameError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.bytesMax, text.utf8.first?.isUpperCaseLetter == true, parts.count <= 3,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isAllowed) })
        else { throw TimeZoneNameError() }
        self.init(unchecked: text)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "+")
    }
}

/// A text is not the name of a time zone.
public struct TimeZoneNameError: Error, Equatable, Sendable, CustomStringConvertible {
    public var description: String { "A time zone is named as \"Europe/Rome\" is." }
}
