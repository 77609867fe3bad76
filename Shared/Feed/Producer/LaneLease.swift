/// A connection's right to a lane, and the positions it may still give out.
///
/// A position is the number of an acquisition, from a sequence, times 2²⁴, plus a counter. Sequences stand outside
/// transactions, and the number is drawn while the lane's lock is held: so positions of a lane never repeat and never go
/// back, whatever was trimmed and whatever the snapshot of the transaction at hand. They stay exact as doubles (2⁵³) for
/// 500 million acquisitions.
struct LaneLease: Equatable {
    static let positionsPerAcquisition: Int64 = 1 << 24

    let lane: Int32
    private(set) var next: Int64
    private let end: Int64

    /// `acquisition` is 1 or more.
    init(lane: Int32, acquisition: Int64) {
        self.lane = lane
        next = acquisition * Self.positionsPerAcquisition + 1
        end = (acquisition + 1) * Self.positionsPerAcquisition
    }

    /// The first of `count` positions; `nil` when so many are not left, and the lane has to be acquired anew.
    mutating func take(_ count: Int) -> Int64? {
        guard count >= 0, Int64(count) <= end - next else { return nil }
        defer { next += Int64(count) }
        return next
    }
}
