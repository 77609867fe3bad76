import Domain
import Primitives

/// Where the sealing of some arrivals goes on whose blocks are too many for one transaction: samples may be of any day since
/// 1980, and one upload of every day. Until it is complete the arrivals count as unsealed; what is in blocks already is the same as
/// what they bring once more, to readers as well as to whoever seals them from the beginning.
struct SealPart: Sendable, Equatable {
    /// Blocks stored in one transaction.
    static let blocksMax = 5000

    /// The last block that was stored.
    let last: BlockKey
    /// The last of the arrivals. Others that have come since are no part of it.
    let through: Int64
    /// The person's as they were at its beginning, so that each sample keeps its day.
    let details: [UInt8]?
}

extension [BlockSamples] {
    /// Those after a block, in the order of days and data types, and whether there are more than `countMax`.
    func next(after last: BlockKey?, countMax: Int) -> (blocks: [BlockSamples], hasMore: Bool) {
        guard last != nil || count > countMax else { return (self, false) }
        let rest =
            last.map { last in drop { ($0.day, $0.type.rawValue) <= (last.day, last.type.rawValue) } } ?? self[...]
        return (Array(rest.prefix(countMax)), rest.count > countMax)
    }
}
