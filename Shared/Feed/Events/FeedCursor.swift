/// The position of a reader in a feed: the last position of each lane. Valid in one epoch of the producer's database.
public struct FeedCursor: Sendable, Hashable {
    /// The epoch; promoting a standby or restoring a backup begins another.
    public var epoch: String
    /// By lane, from 0; a lane beyond the end was not read yet, as one with 0 (positions begin above that).
    public private(set) var positions: [Int64]

    /// A cursor of no epoch: its holder needs a snapshot.
    public static let none = FeedCursor(epoch: "", positions: [])

    public init(epoch: String, positions: [Int64]) {
        self.epoch = epoch
        self.positions = Array(positions.prefix(FeedSchema.laneCount))
    }

    public subscript(lane: Int) -> Int64 {
        lane < positions.count ? positions[lane] : 0
    }

    /// Moves one lane on; never back.
    public mutating func advance(lane: Int, to position: Int64) {
        guard lane >= 0, lane < FeedSchema.laneCount else { return }
        while positions.count <= lane { positions.append(0) }
        positions[lane] = max(positions[lane], position)
    }

    /// Past all of `records`.
    public mutating func advance(past records: some Sequence<FeedRecord>) {
        for record in records { advance(lane: record.lane, to: record.position) }
    }

    /// Past what either of them is past. Both are of one epoch.
    func joined(with other: FeedCursor) -> FeedCursor {
        var joined = self
        for (lane, position) in other.positions.enumerated() { joined.advance(lane: lane, to: position) }
        return joined
    }

    /// Past what all of them are past; `nil` when they are of several epochs, or there are none.
    public static func least(of cursors: some Collection<FeedCursor>) -> FeedCursor? {
        guard let first = cursors.first, cursors.allSatisfy({ $0.epoch == first.epoch }) else { return nil }
        let lanes = cursors.map(\.positions.count).min() ?? 0
        return FeedCursor(
            epoch: first.epoch, positions: (0..<lanes).map { lane in cursors.map { $0[lane] }.min() ?? 0 })
    }

    /// Whether nothing up to `other` was left unread.
    func covers(_ other: FeedCursor) -> Bool {
        epoch == other.epoch && other.positions.indices.allSatisfy { self[$0] >= other.positions[$0] }
    }

    /// Whether something up to `floor` was never read.
    func isBehind(lane: Int, floor: Int64) -> Bool { self[lane] < floor }
}

extension FeedCursor: Codable {
    private enum CodingKeys: String, CodingKey {
        case epoch, lanes
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(epoch: try container.decode(String.self, forKey: .epoch), positions: [])
        for (key, position) in try container.decode([String: Int64].self, forKey: .lanes) {
            guard let lane = Int(key), (0..<FeedSchema.laneCount).contains(lane), position >= 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .lanes, in: container, debugDescription: "expected positions by lane")
            }
            advance(lane: lane, to: position)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(epoch, forKey: .epoch)
        var lanes: [String: Int64] = [:]
        for (lane, position) in positions.enumerated() where position > 0 { lanes[String(lane)] = position }
        try container.encode(lanes, forKey: .lanes)
    }
}
