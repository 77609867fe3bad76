/// The services of the suite, by the names that their certificates, configurations and schemas carry.
public enum ServiceName: String, Sendable, CaseIterable, Codable {
    case accounts
    case ingestion
    case query
    case dispatcher
    case track4run
}
