import Contracts
import Domain
import Primitives

/// The answer to samples that were sent.
struct UploadAnswer: Encodable, Sendable, Equatable {
    /// Number of samples stored.
    let stored: Int
    /// All of it had been stored before.
    let repeated: Bool
    /// Groups of which samples were dropped: they are not collected at the moment, or were not when these were measured (ING-14).
    let paused: [String]
    /// Data types that the device may not provide, and were dropped (ACC-14).
    let withheld: [DataType]
    /// The first `SampleValidator.refusedMax` samples that were not taken.
    let refused: [RefusedSample]
    let refusedCount: Int
    /// When it was received, by the clock of this service: so that a device notices that its own is wrong.
    let serverTime: Timestamp
    let sampling: Sampling
    /// What AutomatedSOS tells the wearer; absent when there is nothing to tell, or nothing is known.
    let sos: WearerAnswer?

    /// How often a device is to measure and send vital signs (ING-02, SOS-04).
    enum Sampling: String, Encodable, Sendable {
        /// At least every 30 s.
        case normal
        /// As they are measured, at least every second: AutomatedSOS watches the wearer, and nothing is critical.
        case atOnce = "at-once"
        /// At once, three times a second: something is critical, or it is not known whether it is.
        case threePerSecond = "three-per-second"

        init(isWatched: Bool, _ knowledge: WearerStates.Knowledge) {
            switch knowledge {
            case .told where knowledge.isAlerted: self = .threePerSecond
            case .calm, .told: self = isWatched ? .atOnce : .normal
            case .unknown: self = isWatched ? .threePerSecond : .normal
            }
        }
    }
}
