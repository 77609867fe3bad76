/// An error whose full words may hold personal data, such as values of rows.
public protocol LogDescribing: Error {
    /// All that is known of the error but for what may be personal.
    var logDescription: String { get }
}
