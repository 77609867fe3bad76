/// Whole arrays of plain values without a container call per element: uploads carry thousands of numbers.
extension Tape {
    @inline(__always)
    private func elements<Element>(
        of index: Int, _ read: (Int) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        guard tokens[index].kind == .array else { throw mismatch("an array", at: index) }
        let end = Int(tokens[index].next)
        var result: [Element] = []
        result.reserveCapacity(tokens[index].payload)
        var position = index &+ 1
        while position < end {
            // A plain value is one token; a container is refused by `read`.
            result.append(try read(position))
            position &+= 1
        }
        return result
    }

    private func integers<Integer: FixedWidthInteger>(of index: Int, _: Integer.Type) throws(JSONError) -> [Integer] {
        try elements(of: index) { (position) throws(JSONError) in try integer(at: position, as: Integer.self) }
    }

    /// The array at `index`, if `Wanted` is an array of plain values, and `nil` for every other type.
    @inline(__always) func plainArray<Wanted>(at index: Int, as: Wanted.Type) throws(JSONError) -> Wanted? {
        if Wanted.self == [Double].self {
            return try elements(of: index) { (position) throws(JSONError) in try double(at: position) } as? Wanted
        }
        if Wanted.self == [Int64].self { return try integers(of: index, Int64.self) as? Wanted }
        if Wanted.self == [Int32].self { return try integers(of: index, Int32.self) as? Wanted }
        if Wanted.self == [Int].self { return try integers(of: index, Int.self) as? Wanted }
        if Wanted.self == [UInt8].self { return try integers(of: index, UInt8.self) as? Wanted }
        if Wanted.self == [String].self {
            return try elements(of: index) { (position) throws(JSONError) in try string(at: position) } as? Wanted
        }
        return nil
    }
}
