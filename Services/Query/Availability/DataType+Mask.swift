import Domain

extension DataType {
    /// The types as one number: the bit of each is its own number.
    static func mask(_ types: some Sequence<DataType>) -> Int64 { types.reduce(0) { $0 | 1 << Int64($1.rawValue) } }

    /// The types of a mask, in the order of their numbers; those that this program does not know are left out.
    static func types(ofMask mask: Int64) -> [DataType] {
        allCases.filter { mask & (1 << Int64($0.rawValue)) != 0 }.sorted { $0.rawValue < $1.rawValue }
    }
}
