import Primitives

/// A fix that was matched to the course.
struct Sighting: Codable, Sendable, Hashable {
    let time: Timestamp
    /// Metres from the start.
    let along: Double
    /// Metres beside the course.
    let offset: Double

    init(time: Timestamp, along: Double, offset: Double) {
        self.time = time
        self.along = (along * 10).rounded() / 10
        self.offset = (offset * 10).rounded() / 10
    }
}

/// When a runner passed a point of the course, with the evidence (RUN-10).
struct Passage: Codable, Sendable, Hashable {
    let time: Timestamp
    /// Whether fixes show the way there; otherwise the point lies in a gap between fixes.
    let isSeen: Bool
    /// The last fix before the point; `nil` when there is none on the course.
    let before: Sighting?
    /// The first fix after it.
    let after: Sighting
}
