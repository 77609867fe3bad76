/// What only this service's configuration has.
struct DispatcherSettings: Decodable, Sendable {
    /// Names the ambulance services; see `HooksFile`.
    let hooksFile: String
}
