import Domain
import HTTP
import Security

/// An ambulance service that can be called (SOS-06).
struct Hook: Sendable {
    let name: String
    let url: HTTPURL
    let secret: WebhookSecret
    /// Where it goes to; `nil` stands for everywhere.
    let area: Area?
    /// It may be on this network or machine.
    let allowsPrivate: Bool
}
