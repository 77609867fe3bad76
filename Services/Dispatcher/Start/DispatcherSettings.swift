/// What only this service's configuration has.
struct DispatcherSettings: Decodable, Sendable {
    /// Names the ambulance services; see `HooksFile`.
    let hooksFile: String

    enum CodingKeys: String, CodingKey {
        case hooksFile = "hooks_file"
    }
}
