/// What is tried, in this order.
enum ConformanceCase: String, CaseIterable, Sendable {
    case probe, alert, exercise, update, resolved, cancel, unknown, sparse, words, large
    case secrets, signature, body, unsigned, age, garbage
    case slow, many
    case acceptance, twice, again, refused
    case callbacks = "call-backs"

    /// What has to be.
    var rule: String {
        switch self {
        case .probe: "A probe is answered with 2xx."
        case .alert: "An alert is received: 2xx within 3 s; so is its repeat."
        case .exercise: "A test call is received."
        case .update: "An update is received, and so is an older message that comes after it."
        case .resolved: "The end of an emergency is received."
        case .cancel: "A cancellation is received."
        case .unknown: "Messages about an incident of which no alert came are received."
        case .sparse: "An alert without position, name, vital signs and contacts is received."
        case .words: "Members and words that are not known yet are passed over."
        case .large: "A message as large as they come, with characters of all languages, is received."
        case .secrets: "While a secret is being replaced, one signature that fits is enough."
        case .signature: "A wrong signature is refused."
        case .body: "A message that was changed on its way is refused."
        case .unsigned: "A message without signature is refused."
        case .age: "A message from ten minutes ago, or from the future, is refused."
        case .garbage: "What is signed and no message is refused, and does no harm."
        case .slow: "A body that comes slowly is received, and holds up no other message."
        case .many: "Twenty messages at once are received."
        case .acceptance: "An incident is accepted by a call back."
        case .twice: "A repeat is not another incident: it is accepted once."
        case .again: "A call back that is answered 503 comes again, the same."
        case .refused: "A call back that is answered 409 does not come again."
        case .callbacks: "Every call back is signed, of now, and names hook, token and decision."
        }
    }

    /// Whether it needs call backs.
    var needsCallBacks: Bool {
        switch self {
        case .acceptance, .twice, .again, .refused, .callbacks: true
        default: false
        }
    }

    /// CAP has a schema of its own, which knows no further words.
    var isOfCAP: Bool { self != .words }
}

/// What came of it.
struct ConformanceReport: Sendable {
    private(set) var passed: [ConformanceCase] = []
    /// In words that an engineer acts on.
    private(set) var failures: [(tried: ConformanceCase, faults: [String])] = []
    private(set) var skipped: [(tried: ConformanceCase, reason: String)] = []
    /// What the receiver has said, without a fault.
    var seen: Set<ConformanceAnswer> = []

    /// Returns the lines to show.
    mutating func add(_ tried: ConformanceCase, _ faults: [String]) -> String {
        guard !faults.isEmpty else {
            passed.append(tried)
            return "ok    \(tried.rawValue): \(tried.rule)"
        }
        failures.append((tried, faults))
        return "FAIL  \(tried.rawValue): \(tried.rule)\n" + faults.map { "        \($0)" }.joined(separator: "\n")
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

    var summary: String { "\(passed.count) passed, \(failures.count) failed, \(skipped.count) not tried." }
}
