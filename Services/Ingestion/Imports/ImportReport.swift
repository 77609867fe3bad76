import Domain

/// The result of reading a file (ING-04).
struct ImportReport: Equatable, Sendable {
    /// A place in a file.
    struct Place: Equatable, Sendable {
        enum Position: Equatable, Sendable {
            /// Of a file of text, from 1.
            case line(Int)
            /// Of another file: bytes from its beginning.
            case byte(Int)
        }

        /// The name of the file in an archive; `nil` in what is one file.
        var file: String?
        let position: Position

        static func line(_ line: Int) -> Place { Place(position: .line(line)) }
        static func byte(_ byte: Int) -> Place { Place(position: .byte(byte)) }
    }

    /// Samples of one type (`nil`: of something that has no data type here) that were not taken for one reason.
    struct Skip: Equatable, Sendable {
        let type: DataType?
        /// In kebab case.
        let reason: String
        /// Of the first one, in words.
        let explanation: String
        var count: Int
        /// Where the first few are.
        var places: [Place]
    }

    /// Why the file, or a file of an archive, was not read to its end.
    struct Failure: Equatable, Sendable {
        enum Reason: String, Sendable {
            case unknownFormat = "unknown-format"
            /// It begins as one format and goes on as another.
            case otherFormat = "other-format"
            /// Its first line names no columns.
            case noColumns = "no-columns"
            /// It has the format, and nothing in it.
            case noData = "no-data"
            /// It ends in the middle.
            case truncated
            case damaged
            /// It expands to more than is read.
            case tooLarge = "too-large"
            case tooManyFiles = "too-many-files"
            /// It was given up after several attempts.
            case givenUp = "given-up"
        }

        var place: Place
        let reason: Reason
        let explanation: String
    }

    private(set) var taken: [DataType: Int] = [:]
    /// Samples that stand in the file twice, and are taken once.
    private(set) var doubled: [DataType: Int] = [:]
    /// In the order in which they first occurred.
    private(set) var skipped: [Skip] = []
    private(set) var failure: Failure?
    /// Where the last skip was found; files have the same kind of skip many times in a row.
    private var lastSkip = 0

    /// Places that are kept of each kind of skip.
    static let placesMax = 5
    /// Kinds of skips that are told apart; what comes then is counted together.
    static let skipsMax = 100

    static func == (left: ImportReport, right: ImportReport) -> Bool {
        left.taken == right.taken && left.doubled == right.doubled && left.skipped == right.skipped
            && left.failure == right.failure
    }

    mutating func take(_ type: DataType) { taken[type, default: 0] += 1 }

    /// Counts a sample that was taken before.
    mutating func double(_ type: DataType) { doubled[type, default: 0] += 1 }

    mutating func skip(
        _ type: DataType?, reason: String, explanation: @autoclosure () -> String, at place: @autoclosure () -> Place
    ) {
        if let index = index(type, reason) ?? index(nil, Self.more.reason) {
            lastSkip = index
            skipped[index].count += 1
            if skipped[index].places.count < Self.placesMax { skipped[index].places.append(place()) }
        } else if skipped.count < Self.skipsMax - 1 {
            skipped.append(
                Skip(type: type, reason: reason, explanation: explanation(), count: 1, places: [place()]))
            lastSkip = skipped.count - 1
        } else {
            skipped.append(
                Skip(
                    type: nil, reason: Self.more.reason, explanation: Self.more.explanation, count: 1, places: [place()]
                ))
            lastSkip = skipped.count - 1
        }
    }

    private static let more = (
        reason: "more-kinds", explanation: "More was skipped, for other reasons than are told apart here."
    )

    private func index(_ type: DataType?, _ reason: String) -> Int? {
        if lastSkip < skipped.count, skipped[lastSkip].type == type, skipped[lastSkip].reason == reason {
            return lastSkip
        }
        return skipped.firstIndex { $0.type == type && $0.reason == reason }
    }

    /// Only the first failure is kept.
    mutating func fail(at place: Place, _ reason: Failure.Reason, _ explanation: String) {
        if failure == nil { failure = Failure(place: place, reason: reason, explanation: explanation) }
    }

    /// Adds what became of one file of an archive. That it could not be read to its end is a skip: the archive goes on.
    mutating func add(_ other: ImportReport, of file: String) {
        taken.merge(other.taken, uniquingKeysWith: +)
        doubled.merge(other.doubled, uniquingKeysWith: +)
        for skip in other.skipped { add(skip, of: file) }
        if let failure = other.failure {
            self.skip(
                nil, reason: "file-broken-off", explanation: failure.explanation,
                at: Place(file: file, position: failure.place.position))
        }
    }

    private mutating func add(_ other: Skip, of file: String) {
        let places = other.places.map { Place(file: $0.file ?? file, position: $0.position) }
        skip(other.type, reason: other.reason, explanation: other.explanation, at: places[0])
        skipped[lastSkip].count += other.count - 1
        let room = Self.placesMax - skipped[lastSkip].places.count
        skipped[lastSkip].places += places.dropFirst().prefix(room)
    }
}
