import Domain
import Primitives

/// What storing needs to know about a person, as it holds inside the transaction.
struct PersonState: Sendable {
    /// Whether there is a row in `person`.
    var isKnown = false
    var isErased = false
    /// What is not collected at the moment (ING-14).
    var paused: Set<DataType.Group> = []
    /// Whether AutomatedSOS or a run follows the person now.
    var isWatched = false
}
