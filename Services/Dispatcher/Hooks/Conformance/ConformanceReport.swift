/// What came of all cases.
struct ConformanceReport: Sendable {
    private(set) var passed: [ConformanceCase] = []
    /// In words that an engineer acts on.
    private(set) var failures: [(tried: ConformanceCase, faults: [String])] = []
    private(set) var skipped: [(tried: ConformanceCase, reason: String)] = []
    /// What the receiver has said, without a fault.
    var seen: Set<ConformanceAnswer> = []
    /// Nobody listens, and nothing was tried.
    var isUnreachable = false
    /// The case in which a fault was told first.
    private var told: [String: ConformanceCase] = [:]

    /// Returns the lines to show; what was told before is told in short.
    mutating func add(_ tried: ConformanceCase, _ faults: [String]) -> String {
        guard !faults.isEmpty else {
            passed.append(tried)
            return "ok    \(tried.rawValue): \(tried.rule)"
        }
        failures.append((tried, faults))
        var lines = ["FAIL  \(tried.rawValue): \(tried.rule)"]
        var shown: Set<String> = []
        for fault in faults where shown.insert(fault).inserted {
            let count = faults.count { $0 == fault }
            let times = count > 1 ? " (\(count) times)" : ""
            if let before = told[fault] {
                lines.append("        The same as in \(before.rawValue)\(times).")
            } else {
                told[fault] = tried
                lines.append("        \(fault)\(times)")
            }
        }
        return lines.joined(separator: "\n")
    }

    mutating func skip(_ tried: ConformanceCase, _ reason: String) -> String {
        skipped.append((tried, reason))
        return "-     \(tried.rawValue): not tried: \(reason)"
    }

    func faults(of tried: ConformanceCase) -> [String] { failures.first { $0.tried == tried }?.faults ?? [] }

    /// What was seen of the receiver's answers and what was not: it fails nobody.
    var answers: [String] {
        func list(_ isMeant: (ConformanceAnswer) -> Bool) -> String {
            let names = ConformanceAnswer.allCases.filter(isMeant).map(\.rawValue)
            return names.isEmpty ? "none" : names.joined(separator: ", ")
        }
        return [
            "Answers that came: \(list { seen.contains($0) }).",
            "Answers that did not come, and were not tried: \(list { !seen.contains($0) }).",
        ]
    }

    /// What no program on this side can see.
    static let unseen = [
        "What this program cannot see: whether a person was shown each message, whether a cancellation stopped anybody, whether a message was on disk before it was answered 2xx, and whether all of it outlives a restart.",
        "While a secret is being replaced there are two: run it once with each of them alone.",
    ]

    /// The last lines but the summary.
    var closing: [String] { isUnreachable ? [] : answers + Self.unseen }

    var summary: String { "\(passed.count) passed, \(failures.count) failed, \(skipped.count) not tried." }
}
