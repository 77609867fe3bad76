import HTTP
import Reactor
import SuiteClient
import Testing

@Suite struct WaitingTests {
    private func refusal(_ attempt: Int) -> SuiteError {
        .refused(call: "POST /x", status: .serviceUnavailable, code: "deadline_exceeded", detail: "\(attempt)")
    }

    /// How often a call is made that is answered 503 `count` times, and whether it succeeds.
    private func attempts(tries: Int, refusedFor count: Int) async throws -> (count: Int, succeeds: Bool) {
        try await EventLoopGroup.withLoops(1) { _ in
            var made = 0
            do {
                try await patiently(tries: tries, every: .zero) { () throws(SuiteError) in
                    made += 1
                    if made <= count { throw refusal(made) }
                }
            } catch { return (made, false) }
            return (made, true)
        }
    }

    @Test("what is answered 503 is tried again, a bounded number of times")
    func patience() async throws {
        #expect(try await attempts(tries: 5, refusedFor: 0) == (1, true))
        #expect(try await attempts(tries: 5, refusedFor: 4) == (5, true))
        #expect(try await attempts(tries: 5, refusedFor: 9) == (5, false))
        #expect(try await attempts(tries: 1, refusedFor: 1) == (1, false))
    }

    @Test("other refusals are not tried again")
    func others() async throws {
        try await EventLoopGroup.withLoops(1) { _ in
            var made = 0
            await #expect(throws: SuiteError.self) {
                try await patiently(tries: 5, every: .zero) { () throws(SuiteError) in
                    made += 1
                    throw .refused(call: "POST /x", status: .conflict, code: "email-taken", detail: "")
                }
            }
            #expect(made == 1)
        }
    }
}
