/// A named point of a course that runners pass, in order (RUN-02).
struct Checkpoint: Codable, Sendable, Hashable {
    var name: String
    /// Metres from the start.
    var distance: Double

    enum CodingKeys: String, CodingKey {
        case name
        case distance = "distance_m"
    }
}
