import JSON

/// What decodes must encode to a text that decodes to the same: as it is, into types, and by looking things up.
enum JSONTarget {
    /// A member of every kind.
    private struct Everything: Codable, Equatable {
        struct Part: Codable, Equatable {
            var id: String
            var share: Float?
        }
        enum Kind: String, Codable { case first, second }

        var integer: Int?
        var small: UInt8?
        var long: Int64?
        var number: Double?
        var text: String?
        var flag: Bool?
        var kind: Kind?
        var list: [Int32?]?
        var parts: [Part]?
        var table: [String: Double]?
        var raw: JSONRaw?
    }

    /// Small, so that they are reached.
    private static let limits = JSONLimits(depthMax: 4, bytesMax: 300, valuesMax: 20, stringBytesMax: 30)

    static func run(_ input: [UInt8]) -> Int32 {
        let typed = try? JSONDecoder(unknownKeys: .refuse).decode(Everything.self, from: input)
        guard let value: JSONValue = decoded(input) else {
            precondition(typed == nil, "what is no JSON is decoded into a type")
            return 0
        }
        do throws(JSONError) {
            let limited = try JSONDecoder(limits: limits).decode(JSONValue.self, from: input)
            precondition(limited == value, "limits change a value")
        } catch { precondition(error.kind == .limit, "limits make another fault: \(error)") }
        roundTrip(value)
        if let typed { roundTrip(typed) }
        lookUp(value, in: input)
        return 0
    }

    private static func decoded<Value: Decodable>(_ text: [UInt8]) -> Value? {
        try? JSONDecoder().decode(Value.self, from: text)
    }

    private static func roundTrip<Value: Codable & Equatable>(_ value: Value) {
        guard let text = try? JSONEncoder().encode(value) else {
            preconditionFailure("a decoded value does not encode")
        }
        precondition(decoded(text) == value, "a value changes on its way through text")
    }

    /// The scanner finds in the text what the decoder has read.
    private static func lookUp(_ value: JSONValue, in text: [UInt8]) {
        guard let scanner = try? JSONScanner(text, limits: JSONLimits()) else {
            preconditionFailure("what decodes is not scanned")
        }
        guard case .object(let members) = value else { return }
        precondition(scanner.members().count == members.members.count, "members are missing")
        for (key, found) in scanner.members() {
            guard let again = scanner.member(key), let one = try? scanner.decode(JSONValue.self, from: again),
                let other = try? scanner.decode(JSONValue.self, from: found)
            else { preconditionFailure("a member is not found") }
            precondition(one == other && value[key] == one, "a member is another one when it is looked up")
        }
    }
}
