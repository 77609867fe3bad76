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

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case connectionsMax, connectionsPerNetworkMax, requestsInFlightMax, requestsPerNetworkMax
        case bodyMemoryMIB = "body_memory_mib"
        case bodyMemoryPerAccountMIB = "body_memory_per_account_mib"
        case bodyMemoryPerNetworkMIB = "body_memory_per_network_mib"
        case headS = "head_s"
        case idleS = "idle_s"
        case bodyS = "body_s"
        case writeStallS = "write_stall_s"
        case handlerS = "handler_s"
    }

    init() {}

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys, _ range: ClosedRange<Int>) throws -> Int? {
            guard let value = try container.decodeIfPresent(Int.self, forKey: key) else { return nil }
            guard range.contains(value) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container,
                    debugDescription: "expected a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
        connectionsMax = try number(.connectionsMax, 1...1_000_000)
        connectionsPerNetworkMax = try number(.connectionsPerNetworkMax, 1...1_000_000)
        requestsInFlightMax = try number(.requestsInFlightMax, 1...1_000_000)
        requestsPerNetworkMax = try number(.requestsPerNetworkMax, 1...1_000_000)
        bodyMemoryMIB = try number(.bodyMemoryMIB, 1...65_536)
        bodyMemoryPerAccountMIB = try number(.bodyMemoryPerAccountMIB, 1...65_536)
        bodyMemoryPerNetworkMIB = try number(.bodyMemoryPerNetworkMIB, 1...65_536)
        headS = try number(.headS, 1...3600)
        idleS = try number(.idleS, 1...3600)
        bodyS = try number(.bodyS, 1...3600)
        writeStallS = try number(.writeStallS, 1...3600)
        handlerS = try number(.handlerS, 1...3600)
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
