/// What an access token may be good for, beyond its account's kind (ACC-15).
public enum AccessScope: String, Sendable, Codable, CaseIterable {
    /// Requests to individuals, and what they deliver.
    case requests
    /// Requests for anonymous statistics of groups.
    case groups
    /// Planning runs and looking at who takes part.
    case runs
    /// Samples from a device.
    case upload

    /// Those that a third party's own programs may have.
    public static let thirdParty: [AccessScope] = [.requests, .groups, .runs]
}
