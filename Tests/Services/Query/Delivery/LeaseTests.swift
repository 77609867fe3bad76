import Reactor
import Synchronization
import Testing

@testable import Query

@Suite struct LeaseTests {
    private struct Refused: Error {}

    private func onLoop(_ body: @escaping @Sendable (EventLoop) async throws -> Void) async throws {
        try await EventLoopGroup.withLoops(1) { try await body($0.loops[0]) }
    }

    @Test("REQ-10: work goes on while its lease is renewed, halfway through each")
    func renewed() async throws {
        try await onLoop { loop in
            let renewals = EventCounter()
            try await Lease.hold(until: .after(Lease.time / 2 + .milliseconds(10))) {
                renewals.raise()
                return .after(Lease.time / 2 + .milliseconds(10))
            } _: { _ in
                var seen: UInt64 = 0
                while seen < 3 { seen = await renewals.wait(after: seen) }
            }
            #expect(renewals.value >= 3)
        }
    }

    @Test("REQ-10b: a refusal breaks the work off")
    func refused() async throws {
        try await onLoop { loop in
            let wasCancelled = Mutex(false)
            await #expect(throws: Refused.self) {
                try await Lease.hold(until: .after(Lease.time / 2 + .milliseconds(10))) {
                    throw Refused()
                } _: { _ in
                    do { try await loop.sleep(for: .seconds(60)) } catch { wasCancelled.withLock { $0 = true } }
                }
            }
            #expect(wasCancelled.withLock { $0 })
        }
    }

    @Test("REQ-10b: without an answer the work is broken off when the lease ends")
    func unanswered() async throws {
        try await onLoop { loop in
            await #expect(throws: IOError.timedOut) {
                try await Lease.hold(
                    until: .after(Lease.time / 2 + .milliseconds(10))
                ) {
                    try await loop.sleep(for: .seconds(60))
                    return .never
                } _: { _ in
                    try await loop.sleep(for: .seconds(60))
                }
            }
        }
    }

    @Test("REQ-10: work does not begin under a lease that is nearly over")
    func old() async throws {
        try await onLoop { _ in
            await #expect(throws: Refused.self) {
                try await Lease.hold(until: .now()) {
                    throw Refused()
                } _: { _ in
                    Issue.record("it began")
                }
            }
        }
    }

    @Test("REQ-10: what needs its lease no more goes on without it, however long it takes")
    func released() async throws {
        try await onLoop { loop in
            let lease = Deadline.after(Lease.time / 2 + .milliseconds(10))
            let result = try await Lease.hold(until: lease) {
                throw Refused()
            } _: { release in
                release()
                try await loop.sleep(until: lease.advanced(by: .milliseconds(10)))
                return 7
            }
            #expect(result == 7)
        }
    }

    @Test("REQ-10b: whoever waits for the work and is cancelled breaks it off")
    func cancelled() async throws {
        try await onLoop { loop in
            let began = EventCounter()
            let wasCancelled = Mutex(false)
            let task = loop.throwingTask {
                try await Lease.hold(until: .never) {
                    .never
                } _: { _ in
                    began.raise()
                    do { try await loop.sleep(for: .seconds(60)) } catch { wasCancelled.withLock { $0 = true } }
                }
            }
            _ = await began.wait(after: 0)
            task.cancel()
            _ = await task.result
            #expect(wasCancelled.withLock { $0 })
        }
    }
}
