public import HTTP

/// Where spans go, and how many traces are sampled. Without it a service passes traces on and exports nothing.
public struct TracingSettings: Decodable, Sendable {
    /// An OpenTelemetry collector that takes OTLP over HTTP, with its path: `http://127.0.0.1:4318/v1/traces`.
    public var endpoint: HTTPURL
    /// The share of new traces that are sampled, 0 to 1; all of those that a service before this one samples are, too.
    public var sampling: Double
    /// The authority that the collector's certificate must come from; the system's without one.
    public var authorityFile: String?

    private enum CodingKeys: String, CodingKey { case endpoint, sampling, authorityFile }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let url = HTTPURL(try container.decode(String.self, forKey: .endpoint)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .endpoint, in: container,
                debugDescription: "expected an address such as http://127.0.0.1:4318/v1/traces")
        }
        endpoint = url
        sampling = try container.decodeIfPresent(Double.self, forKey: .sampling) ?? 0.01
        guard (0...1).contains(sampling) else {
            throw DecodingError.dataCorruptedError(
                forKey: .sampling, in: container, debugDescription: "expected a number from 0 to 1")
        }
        authorityFile = try container.decodeIfPresent(String.self, forKey: .authorityFile)
    }
}
