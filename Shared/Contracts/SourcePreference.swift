public import Domain
public import Primitives

/// Which of a person's sources counts for a data type, when several have samples of the same time (ACC-14).
public struct SourcePreference: Codable, Sendable, Hashable {
    public var dataType: DataType
    /// Each once, the best first. Sources that are not named come after them in the usual order: devices as they were first
    /// seen, then imports, then manual entry.
    public var sources: [PreferredSource]

    public init(dataType: DataType, sources: [PreferredSource]) {
        self.dataType = dataType
        self.sources = sources
    }
}

/// A source of samples. Text and JSON: the id of the device, `imports` or `manual`.
public enum PreferredSource: Hashable, Sendable {
    case device(UUID)
    /// All imported files.
    case imports
    case manual
}

extension PreferredSource: Codable, LosslessStringConvertible {
    public init?(_ description: String) {
        switch description {
        case "imports": self = .imports
        case "manual": self = .manual
        default:
            guard let device = UUID(description) else { return nil }
            self = .device(device)
        }
    }

    public var description: String {
        switch self {
        case .device(let device): device.description
        case .imports: "imports"
        case .manual: "manual"
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let source = PreferredSource(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a source is the id of a device, \"imports\" or \"manual\"")
        }
        self = source
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
