import HTTP
import JSON
import OpenAPITesting
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct DocumentTests {
    @Test("NFR-09: the OpenAPI document says what is served, and the requests that it shows are answered as it says")
    func walk() async throws {
        try await TestDispatcher.withPrice { dispatcher, _ in
            let person = UUID.random()
            try await dispatcher.enrol(person, more: TestDispatcher.acceptance)
            // So that the test call stays open.
            dispatcher.hooks[0].desk.behave(.fail)
            let call = try await dispatcher.json(
                try await dispatcher.call(.post, "/dispatcher/v1/exercise", account: person))
            let walk = try DocumentWalk(
                dispatcher.assembled,
                paths: [
                    "/dispatcher/v1/incidents/{id}": "/dispatcher/v1/incidents/\(call["id"]?.text ?? "none")",
                    "/dispatcher/v1/device/incidents/{id}":
                        "/dispatcher/v1/device/incidents/\(call["id"]?.text ?? "none")",
                ]
            ) { kind, scopes in
                try dispatcher.tokens.token(kind, account: person, scopes: scopes)
            }
            // Those that have to be signed, and one that needs ingestion.
            let faults = try await walk.faults(unsuccessful: [
                "POST /dispatcher/v1/me/thresholds/proposal",
                "POST /dispatcher/v1/handovers/{incident}/acceptance",
                "POST /dispatcher/v1/handovers/{incident}/rejection",
                "POST /dispatcher/v1/handovers/{incident}/resolution",
                "POST /dispatcher/v1/handovers/{incident}/status",
                "POST /dispatcher/v1/contact-messages/{message}/status",
                "POST /dispatcher/v1/operator-alarms/acknowledgement", "POST /dispatcher/v1/payments/broker",
                // Those that need the token of a message.
                "POST /dispatcher/v1/contact-links", "POST /dispatcher/v1/contact-links/answer",
            ])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-09 SOS-06: the document of what an ambulance service builds is served to everybody, and says what it should"
    )
    func receivers() async throws {
        #expect(try APIDocument.of(ReceiverDocument.bytes).faults() == [])
        try await TestDispatcher.with { dispatcher in
            let answer = await dispatcher.assembled.http.handle(try HTTPRequest(.get, ReceiverDocument.path))
            #expect(answer.status == .ok)
            #expect(try await answer.collectedBody() == ReceiverDocument.bytes)
        }
    }
}
