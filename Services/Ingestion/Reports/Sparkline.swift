/// A chart of one line of text: a block per value, from the least (`▁`) to the greatest (`█`); a day without a value is `·`.
/// Screen readers and mail without pictures can show it.
struct Sparkline: CustomStringConvertible {
    private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    let description: String

    init(_ values: [Double?]) {
        let known = values.compactMap { $0 }
        guard let least = known.min(), let greatest = known.max() else {
            description = String(repeating: "·", count: values.count)
            return
        }
        let span = greatest - least
        description = String(
            values.map { value -> Character in
                guard let value else { return "·" }
                guard span > 0 else { return Self.blocks[3] }
                return Self.blocks[min(7, Int((value - least) / span * 8))]
            })
    }
}
