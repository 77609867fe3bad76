import JSON

/// The identifier of a JSON-RPC request, which the answer repeats. This project's clients send integers; others may send
/// any string or number, which is repeated as it was written.
enum RequestID: Equatable, Sendable {
    case integer(Int64)
    case verbatim([UInt8])
    case null

    /// `nil` for JSON that cannot be an identifier.
    init?(json: ArraySlice<UInt8>) {
        switch json.first {
        case UInt8(ascii: "n"): self = .null
        case UInt8(ascii: "\""): self = .verbatim(Array(json))
        case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
            self = Self.integer(json).map(RequestID.integer) ?? .verbatim(Array(json))
        default: return nil
        }
    }

    func write(to output: inout [UInt8]) {
        switch self {
        case .integer(let value): JSONWriter.integer(value, into: &output)
        case .verbatim(let text): output.append(contentsOf: text)
        case .null: output.appendText("null")
        }
    }

    /// A JSON number that is an integer of at most 18 digits, in the form in which it is written again.
    static func integer(_ json: ArraySlice<UInt8>) -> Int64? {
        var digits = json
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        guard (1...18).contains(digits.count), !isNegative || digits.first != UInt8(ascii: "0") else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }
}

extension [UInt8] {
    @inline(__always)
    mutating func appendText(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
