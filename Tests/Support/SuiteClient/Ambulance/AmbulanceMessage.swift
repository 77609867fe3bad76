import JSON
import Primitives

/// A message of AutomatedSOS as an ambulance service reads it (Services/Dispatcher/Hooks/README.md): as much as is needed to answer it.
struct AmbulanceMessage: Sendable {
    struct Reply: Sendable {
        var hook: String
        var token: String
        var acceptanceURL: String
        var rejectionURL: String
        var resolutionURL: String
        var statusURL: String
    }

    enum Content: Sendable {
        case probe
        case incident(id: UUID, sequence: Int, kind: String, mode: String, Reply)
    }

    let content: Content
    /// As it came, for whoever shows it.
    let value: JSONValue

    /// `nil` for what is no message.
    init?(_ body: [UInt8], contentType: String) {
        let made = contentType.hasPrefix("application/cap+xml") ? Self.cap(body) : Self.json(body)
        guard let made else { return nil }
        (content, value) = made
    }

    // MARK: JSON

    private static func json(_ body: [UInt8]) -> (Content, JSONValue)? {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: body) else { return nil }
        if value["probe"]?["id"]?.text != nil { return (.probe, value) }
        guard let incident = value["incident"], let id = incident["id"]?.text.flatMap({ UUID($0) }),
            let sequence = incident["sequence"]?.number, let kind = incident["message"]?.text,
            let reply = reply({ value["reply"]?[$0]?.text })
        else { return nil }
        let mode = incident["mode"]?.text ?? "actual"
        return (.incident(id: id, sequence: Int(sequence), kind: kind, mode: mode, reply), value)
    }

    private static func reply(_ text: (String) -> String?) -> Reply? {
        guard let hook = text("hook"), let token = text("token"), let acceptance = text("acceptance_url"),
            let rejection = text("rejection_url"), let resolution = text("resolution_url"),
            let status = text("status_url")
        else { return nil }
        return Reply(
            hook: hook, token: token, acceptanceURL: acceptance, rejectionURL: rejection, resolutionURL: resolution,
            statusURL: status)
    }

    // MARK: CAP

    /// Elements and parameters are looked for by their names: enough for what AutomatedSOS sends, which is no reason to read XML so
    /// elsewhere.
    private static func cap(_ body: [UInt8]) -> (Content, JSONValue)? {
        let text = String(decoding: body, as: UTF8.self)
        guard text.contains("<alert xmlns=\"urn:oasis:names:tc:emergency:cap:1.2\">"), text.contains("</alert>"),
            let status = element("status", in: text), let identifier = element("identifier", in: text)
        else { return nil }
        let value: JSONValue = .object(["cap": .string(text)])
        if status == "System" { return (.probe, value) }
        guard let id = element("incidents", in: text).flatMap({ UUID($0) }), let kind = parameter("message", in: text),
            let sequence = identifier.split(separator: "-").last.flatMap({ Int($0) }),
            let reply = reply({ parameter("reply.\($0)", in: text) })
        else { return nil }
        return (
            .incident(
                id: id, sequence: sequence, kind: kind, mode: status == "Exercise" ? "exercise" : "actual", reply),
            value
        )
    }

    private static func element(_ name: String, in text: String) -> String? {
        between("<\(name)>", "</\(name)>", in: text)
    }

    private static func parameter(_ name: String, in text: String) -> String? {
        between("<valueName>\(name)</valueName><value>", "</value>", in: text)
    }

    private static func between(_ start: String, _ end: String, in text: String) -> String? {
        let parts = text.split(separator: start, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let content = parts[1].split(separator: end, omittingEmptySubsequences: false).first
        else {
            return nil
        }
        return String(content).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
    }
}
