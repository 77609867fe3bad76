import Domain
import HTTP
import Primitives

/// A run as an organiser describes it: a new one, or the changes to one (RUN-02).
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

    private static let nameLimits = TextLimits(charactersMax: 120)
    private static let placeLimits = TextLimits(charactersMax: 200)
    private static let descriptionLimits = TextLimits(charactersMax: 5000, lines: .many)
    private static let clausesLimits = TextLimits(charactersMax: 20_000, lines: .many)

    /// Checks every member by itself and reports all faults; with `isWhole`, for a new run, none may be missing.
    /// Errors: 422 `invalid-request`, `impossible-capacity`.
    func check(isWhole: Bool) throws(Problem) {
        var errors = isWhole ? missing : []
        func check(_ text: String?, _ pointer: String, _ limits: TextLimits, mayBeEmpty: Bool = false) {
            guard let text, !(mayBeEmpty && text.isEmpty), let fault = limits.fault(in: text) else { return }
            errors.append(.init(pointer: pointer, detail: fault.description))
        }
        check(name, "/name", Self.nameLimits)
        check(place, "/place", Self.placeLimits)
        check(description, "/description", Self.descriptionLimits, mayBeEmpty: true)
        check(clauses, "/clauses", Self.clausesLimits, mayBeEmpty: true)
        // Only as many as are allowed: more are refused where the course is made.
        for (index, checkpoint) in (checkpoints ?? []).prefix(CourseRules.checkpointsMax).enumerated() {
            check(checkpoint.name, "/checkpoints/\(index)/name", Self.nameLimits)
        }
        if let first = errors.first {
            throw Problem(.unprocessableContent, code: "invalid-request", detail: first.detail, errors: errors)
        }
        if let participantsMax, !(2...Self.participantsMax).contains(participantsMax) {
            throw Self.invalid(
                "impossible-capacity", "/participants_max", "A run has from 2 to \(Self.participantsMax) participants.")
        }
    }

    private var missing: [Problem.FieldError] {
        let members: [(String, Bool)] = [
            ("name", name != nil), ("place", place != nil), ("path", path != nil), ("start", start != nil),
            ("end", end != nil), ("enrolment_deadline", enrolmentDeadline != nil),
            ("participants_max", participantsMax != nil),
        ]
        return members.filter { !$0.1 }.map { .init(pointer: "/\($0.0)", detail: "This is needed.") }
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

    static func invalid(_ code: String, _ pointer: String, _ detail: String) -> Problem {
        Problem(
            .unprocessableContent, code: code, detail: detail, errors: [.init(pointer: pointer, detail: detail)])
    }
}
