import Primitives

/// What the monitor asks for.
enum MonitorAction: Sendable, Equatable {
    /// A first critical value: the device is to measure three times a second and to warn the wearer (SOS-04).
    case alert
    /// Nothing critical any more.
    case calm
    /// An emergency: an ambulance service is to be called (SOS-05).
    case dispatch(Finding)
    /// A state that concerns the contacts alone has lasted (SOS-09c).
    case tellContacts(Finding)
    /// An emergency that is over or too old to call anybody for; for contacts and operator.
    case report(Finding)
    /// All samples of an emergency that was provisional have come from storage.
    case stored(Finding.Origin)
    /// No vital sign can be seen since then (SOS-11).
    case blind(since: Timestamp)
    /// Vital signs can be seen again.
    case sighted
}

/// How a person stands, from the samples alone. What became of an emergency is the incident's state.
enum MonitorPhase: String, Sendable, Codable {
    case normal, alerted, confirmed, blind
}
