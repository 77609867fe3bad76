import Contracts
import HTTP
import JSON
import Primitives
import RPC
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Accounts

/// AutomatedSOS's alarms at the operators' pages.
@Suite struct SOSAlarmTests {
    /// The dispatcher's side.
    private final class FakeDispatcher: Sendable {
        let alarm = Dispatcher.OperatorAlarms.Alarm(
            id: .random(), kind: "hook-dead", subject: "north", incident: nil, detail: "timed-out", occurrences: 3,
            firstAt: Timestamp(milliseconds: 1_780_000_000_000), lastAt: Timestamp(milliseconds: 1_780_000_060_000),
            overAt: nil, acknowledgedBy: nil)
        let acknowledged = Mutex<[Dispatcher.AcknowledgeAlarms.Params]>([])

        var caller: LocalCaller {
            var router = RPCRouter()
            let allowed: Set = [AccountsService.name]
            router.register(Dispatcher.OperatorAlarms.self, allow: allowed) { [alarm] _, _ in .init(alarms: [alarm]) }
            router.register(Dispatcher.AcknowledgeAlarms.self, allow: allowed) { [self] params, _ in
                acknowledged.withLock { $0.append(params) }
                return .init(acknowledged: params.alarms.count)
            }
            return LocalCaller(router: router, as: AccountsService.name)
        }
    }

    @Test(
        "SOS-13b NFR-06b: an operator sees open alarms and acknowledges them, under the own name and in the audit trail"
    )
    func acknowledged() async throws {
        let dispatcher = FakeDispatcher()
        try await AccountsTest.with(peers: [ServiceName.dispatcher.rawValue: dispatcher.caller]) { test in
            var rosa = try await TestOperator.logged(in: test)
            let seen = try await rosa.send(.get, "/alarms")
            #expect(seen.status == 200)
            let alarm = try #require(seen.json["alarms"]?.items.first)
            #expect(alarm["kind"]?.text == "hook-dead" && alarm["subject"]?.text == "north")
            #expect(alarm["occurrences"]?.integer == 3 && alarm["acknowledged_by"] == nil)
            let id = try #require(alarm["id"]?.text)
            let done = try await rosa.send(.post, "/alarms/acknowledgement", #"{"alarms":["\#(id)"]}"#)
            #expect(done.status == 200 && done.json["acknowledged"]?.integer == 1)
            let told = dispatcher.acknowledged.withLock { $0 }
            #expect(told.map(\.by) == ["rosa"] && told.first?.alarms == [dispatcher.alarm.id])
            let noted = try #require(try await test.service.auditLines().last)
            #expect("\(noted)" == "operator rosa \(SOSAlarms.action) alarms: 1")
            for wrong in [#"{"alarms":[]}"#, #"{"alarms":["x"]}"#, "{}"] {
                #expect(try await rosa.send(.post, "/alarms/acknowledgement", wrong).status == 422, "\(wrong)")
            }
            #expect(dispatcher.acknowledged.withLock { $0.count } == 1)
        }
    }

    @Test("SOS-13b NFR-06: nobody without a session sees or acknowledges; without the dispatcher the answer is 503")
    func refused() async throws {
        let dispatcher = FakeDispatcher()
        try await AccountsTest.with(peers: [ServiceName.dispatcher.rawValue: dispatcher.caller]) {
            (test) async throws in
            var nobody = TestOperator(test)
            #expect(try await nobody.send(.get, "/alarms").code == "log-in-needed")
            let body = #"{"alarms":["\#(dispatcher.alarm.id)"]}"#
            #expect(try await nobody.send(.post, "/alarms/acknowledgement", body).code == "log-in-needed")
            #expect(dispatcher.acknowledged.withLock { $0.isEmpty })
        }
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            #expect(try await rosa.send(.get, "/alarms").code == "neighbour-unavailable")
        }
    }
}
