/// Writes XML 1.0 in UTF-8: elements and texts. Characters that XML cannot hold are left out.
struct XMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    var bytes: [UInt8] { Array(text.utf8) }

    mutating func element(_ name: String, _ attributes: [(String, String)] = [], _ content: (inout XMLWriter) -> Void) {
        open(name, attributes)
        text += ">"
        content(&self)
        text += "</\(name)>"
    }

    mutating func element(_ name: String, _ attributes: [(String, String)] = [], _ content: String) {
        element(name, attributes) { $0.text += Self.escaped(content) }
    }

    /// Nothing when there is no content.
    mutating func element(_ name: String, _ content: String?) {
        if let content { element(name, [], content) }
    }

    mutating func empty(_ name: String, _ attributes: [(String, String)] = []) {
        open(name, attributes)
        text += "/>"
    }

    private mutating func open(_ name: String, _ attributes: [(String, String)]) {
        text += "<\(name)"
        for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value))\"" }
    }

    static func escaped(_ content: String) -> String {
        var result = ""
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\r": result += "&#13;"
            // Not among the characters of XML 1.0 (section 2.2).
            case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
