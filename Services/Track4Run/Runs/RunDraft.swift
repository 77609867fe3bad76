import Domain
import HTTP
import Primitives

/// A run as an organiser describes it, new or changed (RUN-02).
struct RunDraft: Decodable, Sendable {
    struct DrawnCheckpoint: Decodable, Sendable {
        let name: String
        /// `[longitude, latitude]`.
        let coordinates: [Double]
    }

    static let participantsMax = 10_000
    /// How far ahead a run can be planned.
    static let horizon = Duration.seconds(3 * 365 * 86_400)
    static let durationMax = Duration.seconds(14 * 86_400)

    var name: String?
    var description: String?
    var place: String?
    var clauses: String?
    var path: LineString?
    var checkpoints: [DrawnCheckpoint]?
    var start: Timestamp?
    var end: Timestamp?
    var enrolmentDeadline: Timestamp?
    var participantsMax: Int?

    /// Errors: 422 naming the first member that is missing.
    func requireAll() throws(Problem) {
        let members: [(String, Bool)] = [
            ("name", name != nil), ("place", place != nil), ("path", path != nil), ("start", start != nil),
            ("end", end != nil), ("enrolment_deadline", enrolmentDeadline != nil),
            ("participants_max", participantsMax != nil),
        ]
        for (member, isThere) in members where !isThere {
            throw Self.invalid("missing-value", "/\(member)", "This is needed.")
        }
    }

    /// What can be said of the texts and numbers alone. Errors: 422.
    func checkTexts() throws(Problem) {
        try Self.check(name, "/name", charactersMax: 120, isLine: true)
        try Self.check(place, "/place", charactersMax: 200, isLine: true)
        try Self.check(description, "/description", charactersMax: 5000)
        try Self.check(clauses, "/clauses", charactersMax: 20_000)
        for (index, checkpoint) in (checkpoints ?? []).enumerated() {
            try Self.check(checkpoint.name, "/checkpoints/\(index)/name", charactersMax: 120, isLine: true)
        }
        if let participantsMax, !(2...Self.participantsMax).contains(participantsMax) {
            throw Self.invalid(
                "impossible-capacity", "/participants_max", "A run has from 2 to \(Self.participantsMax) participants.")
        }
    }

    /// The checkpoints with their coordinates. Errors: 422.
    func drawnCheckpoints() throws(Problem) -> [(name: String, point: Coordinate)] {
        var drawn: [(name: String, point: Coordinate)] = []
        for (index, checkpoint) in (checkpoints ?? []).enumerated() {
            guard let point = LineString.point(checkpoint.coordinates) else {
                throw Self.invalid(
                    "impossible-checkpoint", "/checkpoints/\(index)/coordinates", "Expected longitude and latitude.")
            }
            drawn.append((checkpoint.name, point))
        }
        return drawn
    }

    /// The times of a run (RUN-03): all in the future, in order. Errors: 422.
    static func checkTimes(
        start: Timestamp, end: Timestamp, deadline: Timestamp, now: Timestamp, deadlineMayBePast: Bool = false
    ) throws(Problem) {
        guard start > now else { throw invalid("start-not-in-future", "/start", "The start must be in the future.") }
        guard deadline > now || deadlineMayBePast else {
            throw invalid("deadline-not-in-future", "/enrolment_deadline", "The deadline must be in the future.")
        }
        guard deadline <= start else {
            throw invalid("deadline-after-start", "/enrolment_deadline", "The deadline cannot be after the start.")
        }
        guard end > start else { throw invalid("end-before-start", "/end", "The end must be after the start.") }
        guard start - now <= horizon else {
            throw invalid("start-too-far", "/start", "A run can be planned up to three years ahead.")
        }
        guard end - start <= durationMax else { throw invalid("run-too-long", "/end", "A run lasts up to 14 days.") }
    }

    private static func check(
        _ text: String?, _ pointer: String, charactersMax: Int, isLine: Bool = false
    ) throws(Problem) {
        guard let text else { return }
        guard text.count <= charactersMax, text.utf8.count <= 8 * charactersMax else {
            throw invalid("text-too-long", pointer, "At most \(charactersMax) characters fit here.")
        }
        guard isLine else { return }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw invalid("empty-text", pointer, "This must not be empty.")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw invalid("not-a-line", pointer, "Line breaks and control characters do not belong here.")
        }
    }

    static func invalid(_ code: String, _ pointer: String, _ detail: String) -> Problem {
        Problem(
            .unprocessableContent, code: code, detail: detail, errors: [.init(pointer: pointer, detail: detail)])
    }
}
