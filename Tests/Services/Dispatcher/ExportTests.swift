import Contracts
import Domain
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct ExportTests {
    @Test("ACC-13: The enrolment and the emergencies of a person are in the export")
    func person() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            _ = await dispatcher.hooks[0].desk.wait { !$0.isEmpty }
            let caller = LocalCaller(router: dispatcher.assembled.rpc, as: "accounts")
            let counts = try await ExportPages.all { after in
                try await caller.call(
                    Dispatcher.Export.self, .init(accountID: account, kind: .individual, after: after))
            }
            #expect(counts.keys.sorted() == ["sos/contacts.json", "sos/enrolment.json", "sos/incidents.jsonl"])
            let nothing = try await ExportPages.all { after in
                try await caller.call(
                    Dispatcher.Export.self, .init(accountID: .random(), kind: .individual, after: after))
            }
            #expect(nothing.isEmpty)
        }
    }
}
