internal import Primitives

/// How the replicas of a consumer divide the parts of a feed among themselves, as one of them sees it.
struct PartShare: Sendable, Equatable {
    /// All parts, by number, and who has them; `nil`: nobody who is alive.
    var holders: [UUID?]
    /// Those that are alive, this one included.
    var replicas: Set<UUID>

    /// The parts of a replica, ascending.
    func parts(of replica: UUID) -> [Int] { holders.indices.filter { holders[$0] == replica } }

    /// What a replica claims, of what nobody has, and what it gives back, so that each comes to have its share: equal
    /// numbers, and one more for the first replicas in the order of their identifiers where that does not come out even.
    func changes(for replica: UUID) -> (claims: [Int], releases: [Int]) {
        let order = replicas.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        guard let place = order.firstIndex(of: replica) else { return ([], []) }
        let fair = holders.count / order.count + (place < holders.count % order.count ? 1 : 0)
        let mine = parts(of: replica)
        guard mine.count <= fair else { return ([], Array(mine[fair...])) }
        let free = holders.indices.filter { holders[$0] == nil }
        return (Array(free.prefix(fair - mine.count)), [])
    }
}
