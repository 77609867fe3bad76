extension [Int] {
    /// These numbers as ranges, each of neighbours that rise by one.
    var runs: [Range<Int>] {
        var result: [Range<Int>] = []
        for number in self {
            if let last = result.last, last.upperBound == number {
                result[result.count - 1] = last.lowerBound..<number + 1
            } else {
                result.append(number..<number + 1)
            }
        }
        return result
    }
}
