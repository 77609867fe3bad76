public import JSON
public import Primitives

/// One piece of work of a sampled trace, as it is exported (OpenTelemetry's span).
public struct Span: Sendable {
    /// By OpenTelemetry's numbers.
    public enum Kind: Int, Sendable {
        case `internal` = 1
        case server = 2
        case client = 3
    }

    /// What was done, without ids and without personal data: a route's pattern, a method, a task.
    public let name: String
    public let kind: Kind
    public let trace: TraceContext
    public let began: Timestamp
    public let ended: Timestamp
    public let isFailed: Bool
    /// By OpenTelemetry's names (semantic conventions); nothing personal.
    public let attributes: JSONObject
}
