import Reactor
import Synchronization

@testable import Accounts

/// Mail that was delivered, in memory; can be told to fail.
final class MailBox: MailCarrier {
    struct Failure: Error {}

    private struct State {
        var messages: [MailMessage] = []
        var failures = 0
    }

    /// Raised for every mail.
    let arrived = EventCounter()
    private let state = Mutex(State())

    var messages: [MailMessage] { state.withLock { $0.messages } }

    /// The next `count` deliveries fail.
    func fail(_ count: Int) { state.withLock { $0.failures = count } }

    func deliver(_ message: MailMessage) async throws {
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
