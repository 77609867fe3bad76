/// The sex recorded in a fiscal code.
public enum Sex: String, Sendable, Codable, CaseIterable {
    case female
    case male
}
