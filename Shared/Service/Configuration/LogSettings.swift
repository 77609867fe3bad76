/// What is logged.
public struct LogSettings: Decodable, Sendable {
    public var level: LogLevel

    private enum CodingKeys: String, CodingKey { case level }

    public init(level: LogLevel = .info) {
        self.level = level
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .level)
        guard let level = LogLevel(name: name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .level, in: container,
                debugDescription: "expected \(LogLevel.allCases.map(\.name).joined(separator: ", "))")
        }
        self.level = level
    }
}
