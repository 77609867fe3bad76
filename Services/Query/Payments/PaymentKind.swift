/// What is paid for. The names are those of the table.
enum PaymentKind: String, Codable, Sendable, CaseIterable {
    /// A request for the past.
    case singleOnce = "single-once"
    /// A request for a period that reaches into the future.
    case singleSubscription = "single-subscription"
    /// A question about a group that has an answer.
    case groupOnce = "group-once"
}
