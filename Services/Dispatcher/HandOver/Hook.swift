import Domain
import HTTP
import Security

/// An ambulance service that can be called (SOS-06).
struct Hook: Sendable {
    let name: String
    let url: HTTPURL
    let secret: WebhookSecret
    /// The area that it covers; `nil` is everywhere.
    let area: Area?
    /// Whether its address may be on this network or this machine.
    let allowsPrivate: Bool
}
