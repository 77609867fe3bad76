/// An e-mail address that can be written to over the public internet: the dot-atom form of RFC 5321 in ASCII, a local part
/// of at most 64 bytes, at most 254 in all, a domain of at least two labels. Quoted local parts, comments and address
/// literals are refused. Two addresses that differ in case only are equal.
public struct EmailAddress: ValidatedText {
    /// As typed, which is what mail is sent to.
    public let description: String
    /// In lower case: the key for uniqueness and look-up.
    public let normalized: String

    public init(validating text: String) throws(EmailAddressError) {
        let bytes = trimmed(text)
        guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
        guard bytes.count <= 254 else { throw .tooLong }
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .oneAtSign }
        guard parts[0].count <= 64, Self.isDotAtom(parts[0]) else { throw .localPart }
        guard Self.isDomain(parts[1]) else { throw .domain }
        description = String(decoding: bytes, as: UTF8.self)
        normalized = String(decoding: bytes.map(\.lowerCased), as: UTF8.self)
    }

    public static func == (left: EmailAddress, right: EmailAddress) -> Bool { left.normalized == right.normalized }
    public func hash(into hasher: inout Hasher) { hasher.combine(normalized) }

    private static let atomSigns = Set("!#$%&'*+-/=?^_`{|}~".utf8)

    private static func isDotAtom(_ part: ArraySlice<UInt8>) -> Bool {
        part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { $0.isLetter || $0.isDigit || atomSigns.contains($0) }
        }
    }

    private static func isDomain(_ part: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        let labels = part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, !last.allSatisfy(\.isDigit) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == hyphen }
        }
    }
}

/// Why a text is not an e-mail address.
public enum EmailAddressError: Error, Equatable, Sendable, CustomStringConvertible {
    case notASCII
    case tooLong
    case oneAtSign
    case localPart
    case domain

    public var description: String {
        switch self {
        case .notASCII: "The e-mail address holds characters other than unaccented letters, digits and signs."
        case .tooLong: "An e-mail address has at most 254 characters."
        case .oneAtSign: "An e-mail address has exactly one @."
        case .localPart: "What stands before the @ is not the first part of an e-mail address."
        case .domain: "What stands after the @ is not the name of a mail domain."
        }
    }
}
