import Foundation

// `EmbedFiles OUTPUT FILE…`: writes the Swift file in which each file, a text, is a member of `PackageResources`.

/// As `openapi_json`, `_0001_start_sql`: what no identifier may have becomes `_`, and what begins with a digit gets one before it.
func member(of name: String) -> String {
    let word = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return word.first?.isNumber == true ? "_" + word : word
}

/// A string literal of exactly this text.
func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": literal += "\\\(scalar)"
        case "\n": literal += "\\n"
        case _ where scalar.value < 0x20: literal += "\\u{\(String(scalar.value, radix: 16))}"
        default: literal.unicodeScalars.append(scalar)
        }
    }
    return literal + "\""
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count >= 2 else { fail("usage: EmbedFiles OUTPUT FILE…") }
var members: [String: String] = [:]
var source = "enum PackageResources {\n"
for path in CommandLine.arguments.dropFirst(2) {
    let url = URL(fileURLWithPath: path)
    guard let data = try? Data(contentsOf: url) else { fail("\(path) cannot be read.") }
    guard let text = String(validating: data, as: UTF8.self) else { fail("\(path) is no UTF-8 text.") }
    let member = member(of: url.lastPathComponent)
    if let other = members.updateValue(path, forKey: member) {
        fail("\(other) and \(path) would both be PackageResources.\(member); rename one of them.")
    }
    source += "    static let \(member) = [UInt8](\(literal(text)).utf8)\n"
}
source += "}\n"
// What has not changed stays as old as it is, so that nothing is compiled anew for it.
if let written = try? Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])), written == Data(source.utf8) {
    exit(0)
}
do { try source.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8) } catch {
    fail("\(CommandLine.arguments[1]) cannot be written: \(error)")
}
