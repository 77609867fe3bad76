/// The three kinds of account (ACC-01).
public enum AccountKind: String, Sendable, Codable, CaseIterable {
    case individual
    case thirdParty = "third-party"
    case organiser
}
