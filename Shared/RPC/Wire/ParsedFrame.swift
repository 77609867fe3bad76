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

    /// The limits of frames of at most `bytesMax` bytes: these bound the values and strings as well, so that whoever keeps
    /// to the size and the depth is understood.
    static func limits(bytesMax: Int, depthMax: Int) -> JSONLimits {
        JSONLimits(depthMax: depthMax, bytesMax: bytesMax, valuesMax: bytesMax, stringBytesMax: bytesMax)
    }

    /// The identifier in a frame that is JSON beyond the limits; `nil` when it has none or cannot be read at all.
    static func id(beyondLimits bytes: [UInt8]) -> RequestID? {
        guard let frame = try? ParsedFrame(bytes, limits: limits(bytesMax: .max, depthMax: .max)) else { return nil }
        return frame.scanner.member("id").flatMap { RequestID(json: frame.text($0)) }
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
