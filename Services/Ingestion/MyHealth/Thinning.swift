/// Thins a series for display: of each of its equal parts the least and the greatest value stay, so that no peak is
/// lost.
enum Thinning {
    /// Ascending numbers of the samples that stay, `countMax` (at least 2) at most. Readings without contact stay only where
    /// a part has no others: they would take the place of the least value.
    static func kept(_ column: ValueColumn, countMax: Int) -> [Int] {
        guard column.count > countMax else { return Array(0..<column.count) }
        let parts = max(1, countMax / 2)
        var kept: [Int] = []
        kept.reserveCapacity(2 * parts)
        for part in 0..<parts {
            let range = part * column.count / parts..<(part + 1) * column.count / parts
            let values = range.filter { column.hasContact($0) }
            let candidates = values.isEmpty ? Array(range) : values
            guard let least = candidates.min(by: { column.values[$0] < column.values[$1] }),
                let greatest = candidates.max(by: { column.values[$0] < column.values[$1] })
            else { continue }
            kept.append(min(least, greatest))
            if least != greatest { kept.append(max(least, greatest)) }
        }
        return kept
    }

    /// The same for values without an order: every so many, with the first and the last.
    static func spread(_ count: Int, countMax: Int) -> [Int] {
        count <= countMax ? Array(0..<count) : (0..<countMax).map { $0 * (count - 1) / (countMax - 1) }
    }
}
