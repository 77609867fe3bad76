import Domain

/// What became of the samples of a file (ING-04).
struct ImportAnswer: Codable, Sendable {
    /// A line, or an offset in bytes; in an archive with the name of the file.
    struct Place: Codable, Sendable {
        let file: String?
        let line: Int?
        let byte: Int?

        init(_ place: ImportReport.Place) {
            file = place.file
            switch place.position {
            case .line(let line): (self.line, byte) = (line, nil)
            case .byte(let byte): (line, self.byte) = (nil, byte)
            }
        }
    }

    struct Skip: Codable, Sendable {
        let type: String?
        let reason: String
        let explanation: String
        let count: Int
        let places: [Place]
    }

    struct Failure: Codable, Sendable {
        let place: Place
        let reason: String
        let explanation: String
    }

    /// Samples by data type, those that stand in the file more than once counted once: stored, now or before, or dropped.
    private(set) var taken: [String: Int] = [:]
    /// Of those taken, how many an earlier import had stored.
    var repeated = 0
    /// Samples that stand in the file more than once, and were taken once.
    private(set) var doubled = 0
    /// Groups of which samples were dropped, since they were not collected, now or when these were measured (ING-14).
    private(set) var paused: [String] = []
    /// Of those taken, how many were.
    private(set) var dropped = 0
    /// Of those taken, how many were not stored since they lie in spans that the person had deleted.
    var deleted = 0
    /// Of those taken, how many were not kept, new or not: the samples of their days had to go for the quota (ING-10), and in their
    /// hours the source has brought something before.
    var beyondQuota = 0
    private(set) var skipped: [Skip] = []
    private(set) var failure: Failure?

    init() {}

    /// Takes over what the reader and the parts tell; `repeated`, `paused`, `dropped`, `deleted` and `beyondQuota` are of
    /// all attempts.
    mutating func set(_ report: ImportReport, doubledInParts: [DataType: Int]) {
        // The reader has taken what turned out to be doubled in the parts.
        taken = Dictionary(
            uniqueKeysWithValues: report.taken.map { ($0.key.name, $0.value - (doubledInParts[$0.key] ?? 0)) })
        doubled = doubledInParts.values.reduce(0, +) + report.doubled.values.reduce(0, +)
        skipped = report.skipped.map {
            Skip(
                type: $0.type?.name, reason: $0.reason, explanation: $0.explanation, count: $0.count,
                places: $0.places.map(Place.init))
        }
        failure = report.failure.map {
            Failure(place: Place($0.place), reason: $0.reason.rawValue, explanation: $0.explanation)
        }
    }

    /// The file was given up.
    mutating func fail(_ explanation: String) {
        failure = Failure(
            place: Place(.byte(0)), reason: ImportReport.Failure.Reason.givenUp.rawValue, explanation: explanation)
    }

    mutating func add(paused groups: Set<DataType.Group>, samples: Int) {
        guard !groups.isEmpty else { return }
        paused = Set(paused).union(groups.map(\.rawValue)).sorted()
        dropped += samples
    }
}
