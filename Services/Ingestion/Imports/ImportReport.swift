import Domain

/// The result of reading a file (ING-04).
struct ImportReport: Equatable {
    /// Samples of one type (`nil`: of something that has no data type here) that were not taken for one reason.
    struct Skip: Equatable {
        let type: DataType?
        /// In kebab case.
        let reason: String
        /// Of the first one, in words.
        let explanation: String
        var count: Int
        /// Where the first few are, from 1.
        var lines: [Int]
    }

    /// Why the file was not read to its end.
    struct Failure: Equatable {
        let line: Int
        let explanation: String
    }

    private(set) var taken: [DataType: Int] = [:]
    /// In the order in which they first occurred.
    private(set) var skipped: [Skip] = []
    var failure: Failure?

    /// Lines that are kept of each kind of skip.
    static let linesMax = 5
    /// Kinds of skips that are told apart; the types times the reasons, which importers have few of.
    static let skipsMax = 100

    mutating func take(_ type: DataType) { taken[type, default: 0] += 1 }

    mutating func skip(_ type: DataType?, reason: String, explanation: @autoclosure () -> String, line: Int) {
        if let index = skipped.firstIndex(where: { $0.type == type && $0.reason == reason }) {
            skipped[index].count += 1
            if skipped[index].lines.count < Self.linesMax { skipped[index].lines.append(line) }
        } else if skipped.count < Self.skipsMax {
            skipped.append(Skip(type: type, reason: reason, explanation: explanation(), count: 1, lines: [line]))
        }
    }
}
