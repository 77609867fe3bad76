import Reactor
import Synchronization

@testable import Accounts

/// Mail that was delivered, in memory; can be told to fail.
final class MailBox: MailCarrier {
    struct Failure: Error {}

    private struct State {
        var messages: [MailMessage] = []
        var failures = 0
        var refusal: String?
        var gate: DeliveryGate?
    }

    /// Raised for every mail.
    let arrived = EventCounter()
    private let state = Mutex(State())

    var messages: [MailMessage] { state.withLock { $0.messages } }

    /// The next `count` deliveries fail.
    func fail(_ count: Int) { state.withLock { $0.failures = count } }

    /// Every address is refused with this status, until it is `nil` again.
    func refuse(_ status: String?) { state.withLock { $0.refusal = status } }

    /// The next delivery waits at the gate.
    func hold() -> DeliveryGate {
        let gate = DeliveryGate()
        state.withLock { $0.gate = gate }
        return gate
    }

    func deliver(_ message: MailMessage) async throws {
        let gate = state.withLock { state in
            defer { state.gate = nil }
            return state.gate
        }
        await gate?.pass()
        if let status = state.withLock({ $0.refusal }) { throw AddressRefusal(status: status) }
        try state.withLock { state throws(Failure) in
            guard state.failures == 0 else {
                state.failures -= 1
                throw Failure()
            }
            state.messages.append(message)
        }
        arrived.raise()
    }
}

/// Holds a delivery up.
final class DeliveryGate: Sendable {
    private let arrivals = EventCounter()
    private let openings = EventCounter()

    func reached() async { _ = await arrivals.wait(after: 0, deadline: .never) }
    func open() { openings.raise() }

    func pass() async {
        arrivals.raise()
        _ = await openings.wait(after: 0, deadline: .never)
    }
}
