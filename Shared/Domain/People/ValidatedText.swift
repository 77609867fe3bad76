/// A value whose only form is one text with rules: made by checking it, written to JSON as that text.
public protocol ValidatedText: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// Why a text is not such a value; its description is a sentence fit to show to the person who typed it.
    associatedtype Failure: Error & CustomStringConvertible

    init(validating text: String) throws(Failure)
}

extension ValidatedText {
    public init?(_ description: String) {
        do { try self.init(validating: description) } catch { return nil }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(validating: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The text without ASCII white space at its ends.
func trimmed(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)[...]
    func isSpace(_ byte: UInt8?) -> Bool { byte.map { $0 == 0x20 || (0x09...0x0D).contains($0) } ?? false }
    while isSpace(bytes.first) { bytes.removeFirst() }
    while isSpace(bytes.last) { bytes.removeLast() }
    return Array(bytes)
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isUpperCaseLetter: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
    var isLowerCaseLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    var isLetter: Bool { isUpperCaseLetter || isLowerCaseLetter }
    var upperCased: UInt8 { isLowerCaseLetter ? self - 32 : self }
    var lowerCased: UInt8 { isUpperCaseLetter ? self + 32 : self }
    var digit: Int { Int(self) - Int(UInt8(ascii: "0")) }
}
