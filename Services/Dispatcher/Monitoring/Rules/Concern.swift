/// Whom a rule calls when its state has lasted (SOS-05, SOS-09).
enum Concern: String, Sendable, Codable, CaseIterable {
    /// An ambulance service, and the contacts beside it.
    case ambulance
    /// The contacts alone: the state asks for somebody who looks, not for an ambulance (SOS-09c).
    case contacts
}
