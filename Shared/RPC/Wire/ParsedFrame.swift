import JSON

/// One line that has been parsed: a valid JSON text within limits, whose values are decoded without parsing again.
/// Not for use by several tasks at once.
struct ParsedFrame {
    typealias Value = JSONScanner.Value

    let bytes: [UInt8]
    let scanner: JSONScanner

    init(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
        self.bytes = bytes
        scanner = try JSONScanner(bytes, limits: limits)
    }

    /// The JSON text of a value.
    func text(_ value: Value) -> ArraySlice<UInt8> { bytes[value.range] }

    func first(_ value: Value) -> UInt8 { bytes[value.range.lowerBound] }

    func isObject(_ value: Value) -> Bool { first(value) == UInt8(ascii: "{") }

    func isArray(_ value: Value) -> Bool { first(value) == UInt8(ascii: "[") }

    /// The bytes between the quotation marks; `nil` for another kind of value, or a string with escapes.
    func plainString(_ value: Value) -> ArraySlice<UInt8>? {
        guard first(value) == UInt8(ascii: "\"") else { return nil }
        let text = bytes[value.range].dropFirst().dropLast()
        return text.contains(UInt8(ascii: "\\")) ? nil : text
    }

    func string(_ value: Value) -> String? {
        if let text = plainString(value) { return String(decoding: text, as: UTF8.self) }
        return first(value) == UInt8(ascii: "\"") ? try? scanner.decode(String.self, from: value) : nil
    }
}
