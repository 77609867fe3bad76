import Domain
import Primitives

/// The state of a person inside the transaction that stores an arrival.
struct PersonState: Sendable {
    /// Whether there is a row in `person`.
    var isKnown = false
    var isErased = false
    /// Groups of types that are not collected at the moment (ING-14).
    var paused: Set<DataType.Group> = []
    /// A mask of the data types that are stored of the person.
    var types: Int64 = 0
    /// The times of which AutomatedSOS or a run gets the samples that arrive now.
    var watched = WatchedTimes()
    var isWatched: Bool { !watched.isEmpty }
}

/// The state of a device that accounts has published.
struct DeviceState: Sendable {
    let owner: UUID
    let isRemoved: Bool
    /// A mask of what the person lets it provide (ACC-14); `nil`: not known yet.
    let types: Int64?
}
