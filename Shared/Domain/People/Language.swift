/// A language that pages and mail are written in (ISO 639-1).
public enum Language: String, Sendable, Codable, CaseIterable {
    case italian = "it"
    case english = "en"
}
