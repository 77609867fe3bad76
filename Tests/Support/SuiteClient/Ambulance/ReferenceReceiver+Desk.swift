import JSON
public import Primitives
import Reactor
import Synchronization

/// What a person at the ambulance service decides and tells, one incident at a time.
extension ReferenceReceiver {
    public enum Act: Sendable, Equatable {
        case accept
        /// With a word of the document; also of what was accepted before.
        case reject(reason: String)
        case dispatched
        case arrivalExpected(Timestamp)
        case onScene
        case resolve
    }

    /// The words for a rejection that the dispatcher knows.
    public static let rejectionReasons = [
        "no-vehicle", "outside-area", "duplicate", "not-an-emergency", "technical", "other",
    ]

    /// Does it, by a call back that is sent until it is answered. False, and nothing is done, when there is no such incident, when it is
    /// over, or was answered already and is to be accepted.
    public func act(_ act: Act, on incident: UUID) -> Bool {
        let reply: AmbulanceMessage.Reply? = state.withLock { state in
            guard let known = state.incidents[incident], known.isOpen else { return nil }
            switch act {
            case .accept where known.isAnswered: return nil
            case .accept, .reject: state.incidents[incident]?.isAnswered = true
            case .dispatched, .arrivalExpected, .onScene, .resolve: break
            }
            return known.reply
        }
        guard let reply else { return false }
        _ = loop.task { [self] in
            switch act {
            case .accept: await accept(incident, reply)
            case .reject(let reason): await reject(incident, reply, reason)
            case .dispatched: await status("dispatched", incident, reply)
            case .arrivalExpected(let time):
                await status("arrival-expected", incident, reply, ["arrival": .string(time.description)])
            case .onScene: await status("on-scene", incident, reply)
            case .resolve: await resolve(incident, reply)
            }
        }
        return true
    }
}
