import JSON
import Primitives

/// The data of the events that spectators get (RUN-09).
enum LiveEvents {
    /// Event `snapshot`: the whole state.
    struct Snapshot: Encodable, Sendable {
        let state: Run.Phase
        let start: Timestamp
        let end: Timestamp
        let length: Double
        let runners: [Placing]
        let positions: [Marker]

        enum CodingKeys: String, CodingKey {
            case state, start, end, runners, positions
            case length = "length_m"
        }
    }

    /// Event `positions`: runners who have moved or lost the signal since the last one, and those to be removed from
    /// the map.
    struct Positions: Encodable, Sendable {
        let positions: [Marker]
        /// Bibs.
        let removed: [Int]
    }

    /// Event `ranking`, when the order has changed, of the first `rankingMax`; event `finished`, all of them, when
    /// the run is over.
    struct Ranking: Encodable, Sendable {
        let final: Bool
        let placings: [Placing]
    }

    static let rankingMax = 100
}
