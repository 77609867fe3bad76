import Domain

/// A stored value that no version of this service writes.
struct StoredValueError: Error {
    let column: String
}

extension AccountKind {
    static func stored(_ text: String) throws(StoredValueError) -> AccountKind {
        guard let kind = AccountKind(rawValue: text) else { throw StoredValueError(column: "kind") }
        return kind
    }
}

extension Language {
    static func stored(_ text: String) throws(StoredValueError) -> Language {
        guard let language = Language(rawValue: text) else { throw StoredValueError(column: "language") }
        return language
    }
}

extension DataType {
    static func stored(_ numbers: [Int16]) throws(StoredValueError) -> [DataType] {
        try numbers.map { (number) throws(StoredValueError) in
            guard let type = UInt8(exactly: number).flatMap({ DataType(rawValue: $0) }) else {
                throw StoredValueError(column: "data_types")
            }
            return type
        }
    }

    /// Each type once, in the order of their numbers.
    static func toStore(_ types: [DataType]) -> [Int16] { Set(types).map { Int16($0.rawValue) }.sorted() }
}
