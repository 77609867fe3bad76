import Primitives

/// How long requests wait and last.
struct RequestSettings: Sendable {
    /// An unanswered request lapses after this (REQ-06).
    var lapse = Duration.seconds(3 * 86_400)
    /// The data of a request for the past can be fetched for so long after the acceptance.
    var onceAccess = Duration.seconds(30 * 86_400)
    /// The data of a subscription can be fetched for so long after the end of its period, or after the acceptance when that
    /// comes later: devices upload late, and clients poll late (REQ-08).
    var lateAccess = Duration.seconds(30 * 86_400)
    /// A subscription ends at most so many days after it is asked for (REQ-01).
    var subscriptionDaysMax = 366

    /// When an acceptance at `now` ends by itself. What a check-in shares goes through the run's feed, until the run ends.
    func accessEnd(of request: ConsentRequest, acceptedAt now: Timestamp) -> Timestamp {
        switch request.mode {
        case .once: now + onceAccess
        case .subscription where request.runID != nil: request.to
        case .subscription: max(now, request.to) + lateAccess
        }
    }
}
