/// The code of an Italian municipality or, beginning with Z, of a foreign state: *codice catastale*, named after Belfiore.
/// One letter A–M or Z and three digits. Only the form is checked; codes of municipalities that are no more stay valid.
public struct BelfioreCode: ValidatedText {
    public let description: String

    public init(validating text: String) throws(BelfioreCodeError) {
        let code = trimmed(text).map(\.upperCased)
        guard code.count == 4,
            code[0] == UInt8(ascii: "Z") || (UInt8(ascii: "A")...UInt8(ascii: "M")).contains(code[0]),
            code[1...].allSatisfy(\.isDigit), code[1...] != [48, 48, 48]
        else { throw .form }
        description = String(decoding: code, as: UTF8.self)
    }

    /// A state other than Italy.
    public var isForeignState: Bool { description.utf8.first == UInt8(ascii: "Z") }
}

/// Why a text is not a Belfiore code.
public enum BelfioreCodeError: Error, Equatable, Sendable, CustomStringConvertible {
    case form

    public var description: String {
        "A place code is one letter (A to M, or Z for a foreign state) and three digits, as in F205 for Milan."
    }
}
