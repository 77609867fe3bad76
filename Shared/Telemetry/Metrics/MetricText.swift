/// Writes Prometheus' text format, version 0.0.4.
enum MetricText {
    static func header(_ name: String, _ help: String, _ type: StaticString, into text: inout [UInt8]) {
        text += Array("# HELP \(name) ".utf8)
        for byte in help.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): text += [byte, byte]
            case UInt8(ascii: "\n"): text += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            default: text.append(byte)
            }
        }
        text += Array("\n# TYPE \(name) \(type)\n".utf8)
    }

    /// One line: `name{label="value",…} number`.
    static func sample(
        _ name: String, _ labels: [(name: String, value: String)], _ value: Double, into text: inout [UInt8]
    ) {
        text += Array(name.utf8)
        for (index, label) in labels.enumerated() {
            text.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            text += Array("\(label.name)=\"".utf8)
            escape(label.value, into: &text)
            text.append(UInt8(ascii: "\""))
        }
        if !labels.isEmpty { text.append(UInt8(ascii: "}")) }
        text += Array(" \(number(value))\n".utf8)
    }

    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if value == -.infinity { return "-Inf" }
        if value.isNaN { return "NaN" }
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        return value.description
    }

    private static func escape(_ value: String, into text: inout [UInt8]) {
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): text += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): text += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            default: text.append(byte)
            }
        }
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
}
