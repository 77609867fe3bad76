import Testing

@testable import RPC

@Suite struct DeadlinePolicyTests {
    private let policy = DeadlinePolicy(
        networkAllowance: .milliseconds(10), budgetMin: .milliseconds(5), budgetMax: .seconds(60),
        budgetDefault: .seconds(10))

    @Test("each hop takes its allowance, and nobody gets more than the most")
    func shaving() throws {
        #expect(try policy.budget(ofCaller: 3000) == .milliseconds(2990))
        #expect(try policy.budget(ofCaller: 15) == .milliseconds(5))
        #expect(try policy.budget(ofCaller: 3_600_000) == .seconds(60))
        #expect(try policy.budget(ofCaller: .max) == .seconds(60))
        #expect(try policy.budget(ofCaller: nil) == .seconds(10))
    }

    @Test("too little time is refused before any work", arguments: [14, 0, -1, Int64.min / 2])
    func refusal(milliseconds: Int64) {
        #expect { try policy.budget(ofCaller: milliseconds) } throws: { ($0 as? RPCError)?.code == .deadline }
    }
}
