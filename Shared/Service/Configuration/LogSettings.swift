/// What is logged.
public struct LogSettings: Decodable, Sendable {
    public var level = LogLevel.info

    public init() {}
}
