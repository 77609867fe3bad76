import Domain

/// The answer to an import (ING-04).
struct ImportAnswer: Encodable, Sendable {
    struct Skip: Encodable, Sendable {
        let type: String?
        let reason: String
        let explanation: String
        let count: Int
        let lines: [Int]
    }

    struct Failure: Encodable, Sendable {
        let line: Int
        let explanation: String
    }

    /// Samples by data type.
    let taken: [String: Int]
    /// Of those taken, how many an earlier import had stored.
    let repeated: Int
    /// Groups that are not collected at the moment, and were dropped (ING-14).
    let paused: [String]
    let skipped: [Skip]
    let failure: Failure?

    init(_ report: ImportReport, repeated: Int, paused: Set<DataType.Group>) {
        taken = Dictionary(uniqueKeysWithValues: report.taken.map { ($0.key.name, $0.value) })
        self.repeated = repeated
        self.paused = paused.map(\.rawValue).sorted()
        skipped = report.skipped.map {
            Skip(type: $0.type?.name, reason: $0.reason, explanation: $0.explanation, count: $0.count, lines: $0.lines)
        }
        failure = report.failure.map { Failure(line: $0.line, explanation: $0.explanation) }
    }
}
