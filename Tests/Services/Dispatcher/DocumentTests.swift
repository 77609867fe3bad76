import HTTP
import JSON
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct DocumentTests {
    @Test("NFR-09: the OpenAPI document says what is served, and the requests that it shows are answered as it says")
    func walk() async throws {
        try await TestDispatcher.with { dispatcher in
            let person = UUID.random()
            try await dispatcher.enrol(person)
            // So that the test call stays open.
            dispatcher.hooks[0].desk.behave(.fail)
            let call = try await dispatcher.json(
                try await dispatcher.call(.post, "/dispatcher/v1/exercise", account: person))
            let walk = try DocumentWalk(
                dispatcher.assembled,
                paths: ["/dispatcher/v1/incidents/{id}": "/dispatcher/v1/incidents/\(call["id"]?.text ?? "none")"]
            ) { kind, scopes in
                try dispatcher.tokens.token(kind, account: person, scopes: scopes)
            }
            // Those that have to be signed.
            let faults = try await walk.faults(unsuccessful: [
                "POST /dispatcher/v1/handovers/{incident}/acceptance",
                "POST /dispatcher/v1/handovers/{incident}/rejection",
                "POST /dispatcher/v1/handovers/{incident}/resolution",
            ])
            #expect(faults == [])
        }
    }
}
