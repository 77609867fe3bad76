import Domain
import Primitives

/// What storing needs to know about a person, as it holds inside the transaction.
struct PersonState: Sendable {
    /// Whether there is a row in `person`.
    var isKnown = false
    var isErased = false
    /// What is not collected at the moment (ING-14).
    var paused: Set<DataType.Group> = []
    /// A mask of the data types that are stored of the person.
    var types: Int64 = 0
    /// Of which times AutomatedSOS or a run gets the samples that arrive now.
    var watched = WatchedTimes()
    var isWatched: Bool { !watched.isEmpty }
}

/// What storing needs to know about a device that accounts has told of.
struct DeviceState: Sendable {
    let owner: UUID
    let isRemoved: Bool
    /// A mask of what the person lets it provide (ACC-14); `nil`: not told yet.
    let types: Int64?
}
