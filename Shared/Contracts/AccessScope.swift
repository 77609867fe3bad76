/// The scopes of access tokens: what a token is good for, beyond its account's kind (ACC-15).
public enum AccessScope: String, Sendable, Codable, CaseIterable {
    /// Requests to individuals, and the data delivered for them.
    case requests
    /// Requests for anonymous statistics of groups.
    case groups
    /// Planning runs and reading who takes part.
    case runs
    /// Samples from a device.
    case upload

    /// The scopes that a third party's own programs may have.
    public static let thirdParty: [AccessScope] = [.requests, .groups, .runs]
}
