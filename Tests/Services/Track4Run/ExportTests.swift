import Contracts
import Domain
import HTTP
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct ExportTests {
    private func paths(_ test: Track4RunTest, _ account: UUID, _ kind: AccountKind) async throws -> [String] {
        let caller = LocalCaller(router: test.assembled.rpc, as: "accounts")
        return try await ExportPages.all { after in
            try await caller.call(Track4Run.Export.self, .init(accountID: account, kind: kind, after: after))
        }.keys.sorted()
    }

    @Test("ACC-13: The runs of an organiser and the enrolments of a runner are in their exports")
    func sides() async throws {
        try await Track4RunTest.with { test in
            let run = try await test.create()
            let runner = UUID.random()
            #expect(try await test.enrol(runner, in: run.id).status == .created)
            let own = try await paths(test, runner, .individual)
            #expect(own == ["runs/enrolments.jsonl"], "\(test.log.lines)")
            #expect(try await paths(test, test.organiser, .thirdParty) == ["runs/organised.jsonl"])
            #expect(try await paths(test, .random(), .individual) == [])
        }
    }
}
