import Contracts
public import Primitives

/// A message to somebody's inbox and, when `email`, by mail; the accounts service has the texts.
public struct Notice: Sendable, Equatable {
    /// Urgent messages have a lane of their own: no number of others delays them.
    public enum Urgency: Sendable {
        case routine, urgent
    }

    /// The same for every attempt to hand the message over, so that it arrives once. With an id derived from its
    /// content the same message cannot be written twice.
    public let id: UUID
    public let account: UUID
    /// The name of a text in the accounts service's `Messages/`.
    public let template: String
    /// The values for the places in the text.
    public let values: [String: String]
    public let email: Bool
    public let urgency: Urgency

    /// - Precondition: at most `Accounts.Notify.valuesMax` values.
    public init(
        id: UUID = .random(), to account: UUID, template: String, values: [String: String] = [:], email: Bool = true,
        urgency: Urgency = .routine
    ) {
        precondition(values.count <= Accounts.Notify.valuesMax, "\(template) has too many values")
        self.id = id
        self.account = account
        self.template = template
        self.values = values
        self.email = email
        self.urgency = urgency
    }
}
