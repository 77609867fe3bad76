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
    /// Raising an SOS and calling it off, from a device (SOS-08, SOS-12).
    case sos

    /// What to do about a token without it, behind the sentence that says so.
    public var advice: String {
        switch self {
        case .groups:
            ": group requests are open to third parties that the operator has admitted; ask support, and get a new token then"
        case .sos: ": devices that were paired with a code get it with their token when they ask for no other scope"
        case .requests, .runs, .upload: ""
        }
    }

    /// The scopes that a third party's own programs may have.
    public static let thirdParty: [AccessScope] = [.requests, .groups, .runs]

    /// The scopes that a device may have which its owner has paired with a code. An application of a maker, which speaks for
    /// many devices at once, sends samples and nothing else.
    public static let device: [AccessScope] = [.upload, .sos]
}
