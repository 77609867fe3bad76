import Primitives
import Reactor
import Synchronization

/// Calls that a process has under way at the same time, over all webhooks; one third party, whose receivers may be slow on purpose, has
/// some of them at most.
final class CallPlaces: Sendable {
    static let (callsMax, callsPerThirdPartyMax) = (256, 64)
    /// Calls that somebody has asked for, beside those.
    static let (byHandMax, byHandPerThirdPartyMax) = (32, 4)

    private struct State {
        var free: Int
        var taken: [UUID: Int] = [:]
        var waiting: [EventCounter] = []
    }

    private let perThirdPartyMax: Int
    private let state: Mutex<State>

    init(_ count: Int, perThirdPartyMax: Int) {
        self.perThirdPartyMax = perThirdPartyMax
        state = Mutex(State(free: count))
    }

    /// Takes a place; when there is none, `counter` is raised once there is.
    func take(for requester: UUID, waking counter: EventCounter) -> Bool {
        state.withLock { state in
            let taken = state.taken[requester, default: 0]
            guard state.free == 0 || taken >= perThirdPartyMax else {
                state.free -= 1
                state.taken[requester] = taken + 1
                return true
            }
            if !state.waiting.contains(where: { $0 === counter }) { state.waiting.append(counter) }
            return false
        }
    }

    func leave(_ requester: UUID) {
        let waiting = state.withLock { state in
            state.free += 1
            let left = state.taken[requester, default: 1] - 1
            state.taken[requester] = left > 0 ? left : nil
            defer { state.waiting = [] }
            return state.waiting
        }
        for counter in waiting { counter.raise() }
    }
}

/// Calls to one webhook at the same time: fewer to a slow receiver.
struct CallLimit: Sendable {
    static let callsMax = 32

    private var limit = Double(callsMax)

    var calls: Int { Int(limit) }

    mutating func adapt(to answer: WebhookCaller.Answer, slow: Duration) {
        if answer.took > slow {
            limit = max(1, limit / 2)
        } else if answer.isDelivered {
            limit = min(Double(Self.callsMax), limit + 0.25)
        }
    }
}
