import JSON
import HTTP

/// The member `public.limits` of the configuration: what the HTTP server allows all clients together and each network
/// or account, and its timeouts. Absent members have a default.
public struct PublicLimits: Decodable, Sendable {
    /// At the same time, of all clients and of one network (an IPv4 address, 64 bits of IPv6).
    public var connectionsMax: Int?
    public var connectionsPerNetworkMax: Int?
    public var requestsInFlightMax: Int?
    public var requestsPerNetworkMax: Int?
    /// Of bodies that are being received, in MiB.
    public var bodyMemoryMIB: Int?
    public var bodyMemoryPerAccountMIB: Int?
    public var bodyMemoryPerNetworkMIB: Int?
    /// Seconds to wait: for a head, between requests, for a body's sender, while a client takes nothing, for a handler.
    public var headS: Int?
    public var idleS: Int?
    public var bodyS: Int?
    public var writeStallS: Int?
    public var handlerS: Int?

    private enum CodingKeys: CodingKey {
        case connectionsMax, connectionsPerNetworkMax, requestsInFlightMax, requestsPerNetworkMax
        case bodyMemoryMIB, bodyMemoryPerAccountMIB, bodyMemoryPerNetworkMIB
        case headS, idleS, bodyS, writeStallS, handlerS
    }

    init() {}

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        connectionsMax = try container.number(.connectionsMax, 1...1_000_000)
        connectionsPerNetworkMax = try container.number(.connectionsPerNetworkMax, 1...1_000_000)
        requestsInFlightMax = try container.number(.requestsInFlightMax, 1...1_000_000)
        requestsPerNetworkMax = try container.number(.requestsPerNetworkMax, 1...1_000_000)
        bodyMemoryMIB = try container.number(.bodyMemoryMIB, 1...65_536)
        bodyMemoryPerAccountMIB = try container.number(.bodyMemoryPerAccountMIB, 1...65_536)
        bodyMemoryPerNetworkMIB = try container.number(.bodyMemoryPerNetworkMIB, 1...65_536)
        headS = try container.number(.headS, 1...3600)
        idleS = try container.number(.idleS, 1...3600)
        bodyS = try container.number(.bodyS, 1...3600)
        writeStallS = try container.number(.writeStallS, 1...3600)
        handlerS = try container.number(.handlerS, 1...3600)
    }

    var serverConfiguration: HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        func set<Value>(_ path: WritableKeyPath<HTTPServerConfiguration, Value>, _ value: Value?) {
            if let value { configuration[keyPath: path] = value }
        }
        set(\.connectionsMax, connectionsMax)
        set(\.connectionsPerNetworkMax, connectionsPerNetworkMax)
        set(\.requestsInFlightMax, requestsInFlightMax)
        set(\.requestsPerNetworkMax, requestsPerNetworkMax)
        set(\.bufferedBodyBytesMax, bodyMemoryMIB.map { $0 << 20 })
        set(\.bufferedBodyBytesPerAccountMax, bodyMemoryPerAccountMIB.map { $0 << 20 })
        set(\.bufferedBodyBytesPerNetworkMax, bodyMemoryPerNetworkMIB.map { $0 << 20 })
        set(\.timeouts.head, headS.map { .seconds($0) })
        set(\.timeouts.idle, idleS.map { .seconds($0) })
        set(\.timeouts.body, bodyS.map { .seconds($0) })
        set(\.timeouts.writeStall, writeStallS.map { .seconds($0) })
        set(\.timeouts.handler, handlerS.map { .seconds($0) })
        return configuration
    }
}
