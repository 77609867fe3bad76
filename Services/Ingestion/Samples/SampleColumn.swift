/// Samples of one data type, column by column, in the order of time.
protocol SampleColumn: Equatable, Sendable {
    /// Milliseconds since 1970, ascending.
    var times: [Int64] { get }
    var zones: ZoneColumn { get }

    /// One of the same type without samples.
    var emptied: Self { get }

    mutating func append(_ index: Int, of other: Self)
    mutating func append(_ range: Range<Int>, of other: Self)

    /// Whether one sample stands before another: by time, and of the same time in some fixed order. Neither of two
    /// repeats stands before the other: they differ in nothing but their zone.
    func isBefore(_ left: Int, _ right: Int) -> Bool
    /// In milliseconds; 0 of an instant.
    func duration(_ index: Int) -> Int64
    /// Whether the sample is a value of the person, not one of a sensor that touches nobody.
    func hasContact(_ index: Int) -> Bool
}

extension SampleColumn {
    var count: Int { times.count }

    /// Whether each stands before the next one: in order, and without repeats.
    var isAscending: Bool { times.indices.dropFirst().allSatisfy { isBefore($0 - 1, $0) } }

    /// Orders by time and drops exact repeats, of which one whose zone was told stays.
    mutating func normalize() {
        guard !isAscending else { return }
        let ordered = times.indices.sorted {
            isBefore($0, $1) || !isBefore($1, $0) && zones[$0] > zones[$1]
        }
        var result = emptied
        for range in withoutRepeats(ordered).runs { result.append(range, of: self) }
        self = result
    }

    /// The samples whose numbers fulfil a condition.
    func filtered(_ isIncluded: (Int) -> Bool) -> Self {
        let kept = times.indices.filter(isIncluded)
        guard kept.count < count else { return self }
        var result = emptied
        for range in kept.runs { result.append(range, of: self) }
        return result
    }

    /// Of numbers in the order of their samples those that are no repeat of the one before.
    func withoutRepeats(_ ordered: [Int]) -> [Int] {
        var kept: [Int] = []
        kept.reserveCapacity(ordered.count)
        for index in ordered where kept.last.map({ isBefore($0, index) }) ?? true { kept.append(index) }
        return kept
    }
}
