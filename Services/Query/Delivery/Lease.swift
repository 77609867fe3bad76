import Reactor
import Synchronization

/// The right to write to a third party for a moment. It ends a second after consent was last checked, so that a withdrawal
/// that waits for a second is answered when nothing flows any more, whichever replica writes (REQ-10).
enum Lease {
    static let time = Duration.seconds(1)

    /// Runs `work` under a lease: halfway through it `renew` gets the next one.
    /// When `renew` throws or does not answer in time, the work is cancelled. Errors: those of the work and of `renew`,
    /// `IOError.timedOut`. Call on a loop.
    static func hold(
        until first: Deadline, renew: @escaping @Sendable () async throws -> Deadline,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let loop = EventLoop.current else { preconditionFailure("Lease.hold outside an event loop") }
        let isOld = first.advanced(by: .zero - time / 2).hasPassed
        let end = End(isOld ? try await renew() : first)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask {
                while true {
                    try await loop.sleep(until: end.value.advanced(by: .zero - time / 2))
                    end.value = try await renew()
                }
            }
            group.addTask {
                while true {
                    let known = end.value
                    guard !known.hasPassed else { throw IOError.timedOut }
                    try await loop.sleep(until: known)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// When the lease ends, as it is known now.
    private final class End: Sendable {
        private let deadline: Mutex<Deadline>

        init(_ deadline: Deadline) { self.deadline = Mutex(deadline) }

        var value: Deadline {
            get { deadline.withLock { $0 } }
            set { deadline.withLock { $0 = newValue } }
        }
    }
}
