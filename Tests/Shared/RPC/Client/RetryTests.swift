import Reactor
import Testing

@testable import RPC

@Suite struct RetryTests {
    private let policy = RetryPolicy(attemptsMax: 3, pause: BackOff(base: .milliseconds(20), max: .milliseconds(500)))

    private func delay(
        _ code: RPCError.Code, wasSent: Bool = true, attempt: Int = 1, isIdempotent: Bool = true,
        remaining: Duration = .seconds(1)
    ) -> Duration? {
        policy.delay(
            after: CallFailure(error: RPCError(code), wasSent: wasSent), attempt: attempt, isIdempotent: isIdempotent,
            remaining: remaining, random: 1)
    }

    @Test("only failures that may pass are tried again")
    func transient() {
        #expect(delay(.unavailable) == .milliseconds(20))
        #expect(delay(.overloaded) == .milliseconds(20))
        for code in RPCError.Code.allCases where code != .unavailable && code != .overloaded {
            #expect(delay(code) == nil)
        }
    }

    @Test("what is not idempotent is tried again only when it was never sent")
    func idempotence() {
        #expect(delay(.unavailable, wasSent: true, isIdempotent: false) == nil)
        #expect(delay(.unavailable, wasSent: false, isIdempotent: false) != nil)
    }

    @Test("attempts are bounded, and none is made after the deadline")
    func bounds() {
        #expect(delay(.unavailable, attempt: 2) == .milliseconds(40))
        #expect(delay(.unavailable, attempt: 3) == nil)
        #expect(delay(.unavailable, remaining: .milliseconds(20)) == nil)
    }

    @Test("in an outage retries are at most the ratio of the calls, beyond what was saved")
    func budget() {
        var budget = RetryBudget(ratio: 0.1, savedMax: 10)
        var retries = 0
        for _ in 0..<1000 {
            budget.earn()
            if budget.spend() { retries += 1 }
        }
        #expect((100...111).contains(retries))
    }
}
