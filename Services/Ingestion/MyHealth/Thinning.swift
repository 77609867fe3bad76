/// Thins a series for display: of each of equal parts of it, the least and the greatest value stay, so that no peak is lost.
enum Thinning {
    /// Ascending numbers of the samples that stay, `countMax` (at least 2) at most.
    static func kept(_ values: [Int64], countMax: Int) -> [Int] {
        guard values.count > countMax else { return Array(values.indices) }
        let parts = max(1, countMax / 2)
        var kept: [Int] = []
        kept.reserveCapacity(2 * parts)
        for part in 0..<parts {
            let range = part * values.count / parts..<(part + 1) * values.count / parts
            guard let least = range.min(by: { values[$0] < values[$1] }),
                let greatest = range.max(by: { values[$0] < values[$1] })
            else { continue }
            kept.append(min(least, greatest))
            if least != greatest { kept.append(max(least, greatest)) }
        }
        return kept
    }

    /// The same where there is no greatest: every so many.
    static func spread(_ count: Int, countMax: Int) -> [Int] {
        count <= countMax ? Array(0..<count) : (0..<countMax).map { $0 * count / countMax }
    }
}
