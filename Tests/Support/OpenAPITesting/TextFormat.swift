import Domain
import Primitives

/// The values of `format` that our documents use, and what they ask of a text.
enum TextFormat: String {
    case dateTime = "date-time"
    case date
    case uuid
    case uri
    case uriReference = "uri-reference"
    case email
    /// For those who show a form; asks nothing of the text.
    case password

    func accepts(_ text: String) -> Bool {
        switch self {
        case .dateTime: Timestamp(text) != nil
        case .date: CalendarDate(text) != nil
        case .uuid: UUID(text) != nil
        case .uri: text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[!-~]+/) != nil
        case .uriReference: text.wholeMatch(of: /[!-~]+/) != nil
        case .email: EmailAddress(text) != nil
        case .password: true
        }
    }
}
