import Domain

/// The report of an import as it is sent (ING-04).
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
    /// Of those taken, how many an earlier import had stored already.
    let repeated: Int
    /// What is not collected at the moment, and was dropped (ING-14).
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
