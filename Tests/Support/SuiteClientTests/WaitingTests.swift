import HTTP
import Reactor
import SuiteClient
import Testing

@Suite struct WaitingTests {
    private static let passing: [SuiteError] = [
        .refused(call: "POST /x", status: .serviceUnavailable, code: "deadline_exceeded", detail: ""),
        .unreachable(call: "POST /x", reason: "closed"),
    ]

    /// How often a call is made that fails `count` times, and whether it succeeds.
    private func attempts(tries: Int, failing count: Int, _ error: SuiteError) async throws -> (
        count: Int, succeeds: Bool
    ) {
        try await EventLoopGroup.withLoops(1) { _ in
            var made = 0
            do {
                try await patiently(tries: tries, every: .zero) { () throws(SuiteError) in
                    made += 1
                    if made <= count { throw error }
                }
            } catch { return (made, false) }
            return (made, true)
        }
    }

    @Test("what is answered 503, or not at all, is tried again, a bounded number of times", arguments: passing)
    func patience(_ error: SuiteError) async throws {
        #expect(try await attempts(tries: 5, failing: 0, error) == (1, true))
        #expect(try await attempts(tries: 5, failing: 4, error) == (5, true))
        #expect(try await attempts(tries: 5, failing: 9, error) == (5, false))
        #expect(try await attempts(tries: 1, failing: 1, error) == (1, false))
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
