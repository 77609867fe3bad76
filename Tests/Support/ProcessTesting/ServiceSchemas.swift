/// The schemas of a service.
public struct ServiceSchemas: Sendable {
    public let own: String
    /// Of people's keys.
    public let keys: String
    /// Of the anonymous statistics; only query has them.
    public let statistics: String

    public init(own: String, keys: String, statistics: String) {
        self.own = own
        self.keys = keys
        self.statistics = statistics
    }

    /// As `deploy/postgres/roles.sql` names them, each behind a prefix.
    public init(of service: String, prefix: String = "") {
        own = prefix + service
        keys = prefix + (service == "ingestion" ? "keys" : "\(service)_keys")
        statistics = "\(prefix)statistics"
    }

    /// Those that a service needs.
    public func all(of service: String) -> [String] {
        switch service {
        case "query": [own, keys, statistics]
        default: [own, keys]
        }
    }
}
