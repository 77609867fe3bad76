import HTTP
import JSON
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await TestDispatcher.with { dispatcher in
            let faults = try await AccessWalk.faults(
                in: dispatcher.assembled, tokens: dispatcher.tokens,
                open: [
                    "POST /dispatcher/v1/handovers/:incident/acceptance",
                    "POST /dispatcher/v1/handovers/:incident/rejection",
                    "POST /dispatcher/v1/handovers/:incident/resolution",
                    "POST /dispatcher/v1/handovers/:incident/status",
                    "GET /dispatcher/v1/hooks/openapi.json",
                    "POST /dispatcher/v1/contact-messages/:message/status",
                    "POST /dispatcher/v1/operator-alarms/acknowledgement",
                    "POST /dispatcher/v1/contact-links", "POST /dispatcher/v1/contact-links/answer",
                ])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-05b: each RPC method is for the neighbours that this table names, and refuses everybody else before it looks at what they send"
    )
    func neighbours() async throws {
        try await TestDispatcher.with { dispatcher in
            let faults = await ClientWalk.faults(
                in: dispatcher.assembled,
                table: [
                    "feed.read": ["ingestion"],
                    "feed.snapshot": ["ingestion"],
                    "dispatcher.export": ["accounts"],
                    "dispatcher.erasures": ["accounts"],
                    "dispatcher.provisional": ["ingestion"],
                    "dispatcher.operator_alarms": ["accounts"],
                    "dispatcher.acknowledge_alarms": ["accounts"],
                ])
            #expect(faults == [])
        }
    }

    @Test("NFR-05 SOS-08: an incident is not there for anybody but its wearer, who alone calls it off")
    func others() async throws {
        try await TestDispatcher.with { dispatcher in
            let (account, stranger) = (UUID.random(), UUID.random())
            try await dispatcher.enrol(account)
            try await dispatcher.enrol(stranger)
            let made = try await dispatcher.call(.post, "/dispatcher/v1/exercise", account: account)
            let id = try #require(try await dispatcher.json(made)["id"]?.text)
            let prefix = "/dispatcher/v1/incidents"
            let faults = try await OwnershipWalk.faults(
                in: dispatcher.assembled,
                things: [
                    "\(prefix)/:id": "\(prefix)/\(id)", "\(prefix)/:id/false-alarm": "\(prefix)/\(id)/false-alarm",
                    "\(prefix)/:id/file": "\(prefix)/\(id)/file",
                    "\(prefix)/:id/file.html": "\(prefix)/\(id)/file.html",
                    "/dispatcher/v1/device/incidents/:id/false-alarm":
                        "/dispatcher/v1/device/incidents/\(id)/false-alarm",
                ]
            ) { try dispatcher.tokens.token($0, account: stranger) }
            #expect(faults == [])
            let own = try await dispatcher.call(.get, "\(prefix)/\(id)", account: account)
            #expect(own.status == .ok)
            #expect(try await dispatcher.json(own)["outcome"]?.text != "false-alarm")
        }
    }
}
