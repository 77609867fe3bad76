import JSON
import Primitives

/// What spectators get as the data of events (RUN-09).
enum LiveEvents {
    /// Event `snapshot`: all there is to show.
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

    /// Event `positions`: who has moved, or lost the signal, since the last one, and who is no longer to be shown.
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
