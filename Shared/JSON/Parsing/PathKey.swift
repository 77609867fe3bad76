/// One step of a path: a member's name or an element's index.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    static func text(of path: [any CodingKey]) -> String {
        path.reduce(into: "$") { text, key in text += step(key) }
    }

    static func step(_ key: any CodingKey) -> String {
        key.intValue.map { "[\($0)]" } ?? JSONError.step(key: MemberName.json(key))
    }
}
