import HTTP
import JSON
import Service

/// Reads the members of a form one by one and gathers what is wrong with each, so that what can be read is checked further
/// although something else cannot: a person learns of all faults at once (ACC-02).
///
/// A member that is wrong reads as `nil`, as an absent one does. The caller makes nothing of the form before `check` has passed.
struct FormReader {
    /// So many members that nobody asks for are named.
    private static let unknownMax = 32
    private static let null = Array("null".utf8)
    private static let limits = JSONLimits(depthMax: 8, bytesMax: ServiceRoutes.bodyBytesMax, valuesMax: 1000)

    var faults = Faults()
    private let members: [String: JSONRaw]
    private var asked: Set<String> = []

    /// Throws 400 and 415 as `HTTPRequest.json` does, and 422 for a body that is no object.
    init(_ request: HTTPRequest) throws(Problem) {
        members = try request.json([String: JSONRaw].self, limits: Self.limits)
    }

    /// The value of a member that has to be there.
    mutating func required<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        guard let text = text(of: name) else {
            add("/\(name)", "is missing", "missing")
            return nil
        }
        return value(of: text, name, type)
    }

    /// The value of a member that may be absent or `null`.
    mutating func optional<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        text(of: name).flatMap { value(of: $0, name, type) }
    }

    /// A member's value for checks of others; what is wrong with it is told where the member is read.
    func peek<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        members[name].flatMap { try? JSONDecoder(limits: Self.limits).decode(type, from: $0.bytes) }
    }

    /// Whether the member is there, readable or not.
    func has(_ name: String) -> Bool { members[name].map { $0.bytes != Self.null } ?? false }

    /// Throws everything that was gathered, and the members that nobody has asked for.
    mutating func check() throws(Refusal) {
        let unknown = members.keys.filter { !asked.contains($0) }.sorted()
        for name in unknown.prefix(Self.unknownMax) {
            add(Self.pointer(to: name), "is not known", "unknown-member")
        }
        try faults.check()
    }

    /// What was made of the form, after `check`.
    mutating func complete<Form>(_ form: Form?) throws -> Form {
        try check()
        // A form that is missing although nothing is wrong with it is a fault of this program.
        guard let form else { throw Problem.internalError }
        return form
    }

    private mutating func add(_ pointer: String, _ detail: String, _ code: String?) {
        faults.add(Refusal(.invalid, "invalid-request", detail, pointer: pointer, faultCode: code))
    }

    private static func pointer(to name: String) -> String {
        "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private mutating func text(of name: String) -> JSONRaw? {
        asked.insert(name)
        guard let text = members[name], text.bytes != Self.null else { return nil }
        return text
    }

    private mutating func value<Value: Decodable>(of text: JSONRaw, _ name: String, _ type: Value.Type) -> Value? {
        do throws(JSONError) {
            return try JSONDecoder(limits: Self.limits, unknownKeys: .refuse).decode(type, from: text.bytes)
        } catch {
            for fault in Problem(error).errors {
                add("/\(name)\(fault.pointer ?? "")", fault.detail, fault.code)
            }
            return nil
        }
    }
}
