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
            } _: {
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
                } _: {
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
                } _: {
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
                } _: {
                    Issue.record("it began")
                }
            }
        }
    }
}
