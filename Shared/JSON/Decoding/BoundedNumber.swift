extension KeyedDecodingContainer {
    /// A whole number that has to lie in `range`; `nil` when there is none. The error names the range.
    public func number(_ key: Key, _ range: ClosedRange<Int>) throws -> Int? {
        guard let value = try decodeIfPresent(Int.self, forKey: key) else { return nil }
        guard range.contains(value) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription: "expected a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}
