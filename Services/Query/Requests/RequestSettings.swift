/// How long requests wait and last.
struct RequestSettings: Sendable {
    /// An unanswered request lapses after this (REQ-06).
    var lapse = Duration.seconds(3 * 86_400)
    /// The data of a request for the past can be fetched for so long after the acceptance.
    var onceAccess = Duration.seconds(30 * 86_400)
}
