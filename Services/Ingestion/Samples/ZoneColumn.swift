import Domain

/// The offset of the local time at each sample of a column, where the device or file told it: run-length coded, since
/// nearly all columns are of one zone.
struct ZoneColumn: Equatable, Sendable {
    /// Samples one after another with the same offset.
    struct Run: Equatable, Sendable {
        /// In minutes, or `unknown`.
        var minutes: Int16
        /// The number of the sample after the last one.
        var end: Int
    }

    /// Stands for an offset that was not told.
    static let unknown = Int16.min

    private(set) var count = 0
    /// Neighbours differ, and the last one ends at `count`; empty when nothing was told of any sample.
    private(set) var runs: [Run] = []

    init() {}

    /// The same for all.
    init(repeating minutes: Int16, count: Int) {
        append(minutes, count: count)
    }

    subscript(index: Int) -> Int16 { runs.isEmpty ? Self.unknown : runs[run(of: index)].minutes }

    mutating func append(_ minutes: Int16, count added: Int = 1) {
        guard added > 0 else { return }
        if runs.isEmpty, minutes != Self.unknown, count > 0 { runs.append(Run(minutes: Self.unknown, end: count)) }
        count += added
        if let last = runs.last, last.minutes == minutes {
            runs[runs.count - 1].end = count
        } else if !runs.isEmpty || minutes != Self.unknown {
            runs.append(Run(minutes: minutes, end: count))
        }
    }

    mutating func append(_ range: Range<Int>, of other: ZoneColumn) {
        for (minutes, part) in other.parts(of: range) { append(minutes, count: part.count) }
    }

    /// The range in pieces of one offset each.
    func parts(of range: Range<Int>) -> [(minutes: Int16, range: Range<Int>)] {
        guard !range.isEmpty else { return [] }
        guard !runs.isEmpty else { return [(Self.unknown, range)] }
        var result: [(minutes: Int16, range: Range<Int>)] = []
        var start = range.lowerBound
        for run in runs[run(of: start)...] {
            let end = min(run.end, range.upperBound)
            result.append((run.minutes, start..<end))
            start = end
            if start == range.upperBound { break }
        }
        return result
    }

    private func run(of index: Int) -> Int {
        var (low, high) = (0, runs.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].end <= index { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ZoneOffset? {
    /// In minutes, or `ZoneColumn.unknown`.
    var column: Int16 { self?.minutes ?? ZoneColumn.unknown }

    init(column minutes: Int16) {
        self = minutes == ZoneColumn.unknown ? nil : ZoneOffset(minutes: Int(minutes))
    }
}
