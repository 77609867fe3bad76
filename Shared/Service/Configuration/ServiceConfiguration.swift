public import Feed
public import Reactor
import JSON
import Primitives

/// A service's configuration file (deploy/README.md): strict JSON, in which an unknown member is refused.
public struct ServiceConfiguration<Settings: Decodable & Sendable>: Decodable, Sendable {
    public static var loopsMax: Int { 256 }
    static var cachedTokensMax: Int { 100_000_000 }
    static var fileBytesMax: Int { 1 << 20 }

    /// The service's name, which is also the one in its certificate.
    public var service: String
    public var publicListener: PublicListener
    public var internalListener: InternalListener
    public var operators: OperatorsListener
    public var database: DatabaseSettings
    /// The addresses of each neighbour's replicas.
    public var peers: [String: [Endpoint]]
    /// Event loops that serve people, one thread each; 0 stands for one per processor. One more serves other services.
    public var loops: Int
    /// So many access tokens that were checked are kept until they expire, about 400 bytes each.
    public var cachedTokens: Int
    public var log: LogSettings
    public var tracing: TracingSettings?
    public var stopping: StoppingSettings
    public var keys: KeySettings
    /// For which consumers and how long each feed that the service publishes is kept, by its name; a feed that is not
    /// named has the defaults.
    public var feeds: [String: FeedRetention]
    /// Days that kinds of rows are kept, by the name of their rule (`RetentionRule`); those not named have their default.
    public var retention: [String: Int]
    /// The settings of this service only.
    public var settings: Settings
    /// The file as it is, to be compared with a later one.
    private(set) var source = JSONValue.null

    private enum CodingKeys: String, CodingKey {
        case service
        case publicListener = "public"
        case internalListener = "internal"
        case operators, database, peers, loops
        case cachedTokens = "cached_tokens"
        case log, tracing, stopping, keys, feeds, retention, settings
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        service = try container.decode(String.self, forKey: .service)
        publicListener = try container.decode(PublicListener.self, forKey: .publicListener)
        internalListener = try container.decode(InternalListener.self, forKey: .internalListener)
        operators = try container.decodeIfPresent(OperatorsListener.self, forKey: .operators) ?? OperatorsListener()
        database = try container.decode(DatabaseSettings.self, forKey: .database)
        peers = try container.decode([String: [PeerAddress]].self, forKey: .peers).mapValues { $0.map(\.endpoint) }
        loops = try container.number(.loops, 0...Self.loopsMax) ?? 0
        cachedTokens =
            try container.number(.cachedTokens, 1000...Self.cachedTokensMax) ?? Authenticator.tokensMaxDefault
        log = try container.decodeIfPresent(LogSettings.self, forKey: .log) ?? LogSettings()
        tracing = try container.decodeIfPresent(TracingSettings.self, forKey: .tracing)
        stopping = try container.decodeIfPresent(StoppingSettings.self, forKey: .stopping) ?? StoppingSettings()
        keys = try container.decode(KeySettings.self, forKey: .keys)
        feeds = try container.decodeIfPresent([String: FeedRetention].self, forKey: .feeds) ?? [:]
        retention = try container.decodeIfPresent([String: Int].self, forKey: .retention) ?? [:]
        settings = try container.decode(Settings.self, forKey: .settings)
    }

    /// Reads and checks a file, which must be of the service `name`.
    public static func load(file path: String, for name: String) throws(ConfigurationError) -> ServiceConfiguration {
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.read(path, bytesMax: fileBytesMax)
        } catch { throw ConfigurationError(error) }
        do throws(JSONError) {
            var configuration = try JSONDecoder(unknownKeys: .refuse).decode(Self.self, from: bytes)
            configuration.source = try JSONDecoder().decode(JSONValue.self, from: bytes)
            guard configuration.service == name else {
                throw JSONError(
                    kind: .value, path: "$.service",
                    message: "this program is \"\(name)\", but the file is for \"\(configuration.service)\"")
            }
            return configuration
        } catch {
            throw ConfigurationError("The configuration file \(path) is not valid: \(error.description).")
        }
    }
}

/// One replica's RPC address.
private struct PeerAddress: Decodable {
    let endpoint: Endpoint

    init(from decoder: any Decoder) throws {
        endpoint = try Endpoint(from: decoder)
        guard endpoint.isUnix || endpoint.port > 0 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a neighbour's port cannot be 0"))
        }
    }
}
