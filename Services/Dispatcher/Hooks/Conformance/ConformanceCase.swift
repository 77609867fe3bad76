/// What is tried, in this order.
enum ConformanceCase: String, CaseIterable, Sendable {
    case probe, alert, exercise, update, resolved, cancel, reasons, unknown, sparse, whole, stale, words, large
    case secrets, signature, body, unsigned, age, garbage
    case slow, many
    case acceptance, twice, lost, over
    case neededAgain = "needed-again"
    case again, unauthorized, refused
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
        case .reasons: "Cancellations and ends are received, whatever their reason."
        case .unknown: "Messages about an incident of which no alert came are received."
        case .sparse: "An alert without position, name, vital signs and contacts is received."
        case .whole: "An alert with all that there may be is received: name, home, the SOS button, an earlier incident."
        case .stale: "An alert with the last known position in place of a current one is received."
        case .words: "Members and words that are not known yet are passed over, and a higher version is received."
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
        case .lost: "An update of an incident of which no alert came is answered as an alert is."
        case .over: "What is over is not accepted, also when its alert comes after its cancellation."
        case .neededAgain: "An alert that comes after a cancellation is accepted: you are needed after all."
        case .again: "A call back that is answered 503 comes again, the same."
        case .unauthorized: "An acceptance that is answered 401 comes again, the same."
        case .refused: "An acceptance that is answered 409 does not come again."
        case .callbacks:
            "Every call back is signed, of now, and names hook, token and decision; all or none say when it was decided."
        }
    }

    /// Whether it needs call backs.
    var needsCallBacks: Bool {
        switch self {
        case .acceptance, .twice, .lost, .over, .neededAgain, .again, .unauthorized, .refused, .callbacks: true
        default: false
        }
    }

    /// CAP has a schema of its own, which knows no further words.
    var isOfCAP: Bool { self != .words }
}

/// What came of one case.
enum ConformanceOutcome: Sendable {
    /// None: it does what it has to.
    case faults([String])
    /// Nothing can be said, for this reason.
    case notTried(String)
}
