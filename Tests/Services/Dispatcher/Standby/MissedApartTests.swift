import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

/// What is found, or pressed, on one side of a partition beyond an end that was told on the other.
@Suite struct MissedApartTests {
    private static func incident(_ call: FakeHook.Call) -> Substring { call.id.prefix(36) }

    /// Calls the incident off at `replica`, does `body` where the database is away, and returns the alert that follows once it is back.
    private func alert(
        after call: FakeHook.Call, of account: UUID, _ dispatcher: TestDispatcher, _ replica: TestDispatcher,
        _ body: () async throws -> Void
    ) async throws -> JSONValue {
        let desk = dispatcher.hooks[0].desk
        try await dispatcher.withoutDatabase { () async throws in
            let path = "/dispatcher/v1/incidents/\(Self.incident(call))/false-alarm"
            #expect(try await replica.call(.post, path, account: account).status == .ok)
            // A side that is busy takes it for earlier than it is, by as long as it waited for what it has read.
            #expect(
                try await replica.wait(
                    "select clock_timestamp() > max(closed_at) + interval '4 seconds' from incident"))
            try await body()
        }
        let isOther = { @Sendable (other: FakeHook.Call) in Self.incident(other) != Self.incident(call) }
        let told = await desk.wait(seconds: 5) { $0.contains(where: isOther) }
        let alert = try #require(told.first(where: isOther)).json
        #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
        #expect(
            try await dispatcher.wait(
                """
                select count(*) = 2 and count(*) filter (where outcome = 'false-alarm') = 1
                  and count(*) filter (where state <> 'closed') = 1 from incident
                """))
        return alert
    }

    @Test(
        "SOS-12a SOS-07a: a press of the SOS button on a side that is cut off, after a false alarm on the other, is an emergency of its own"
    )
    func pressed() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.recovered(account)
            try await dispatcher.withReplica { replica in
                let alert = try await alert(after: call, of: account, dispatcher, replica) {
                    let press = try await dispatcher.call(
                        .post, "/dispatcher/v1/sos", account: account, body: #"{"id": "\#(UUID.random())"}"#)
                    #expect(press.status == .created)
                }
                #expect(alert["incident"]?["message"] == .string("alert"))
                #expect(alert["incident"]?["trigger"] == .string("manual"))
                #expect(alert["incident"]?["sos_pressed"] != nil && alert["person"]?["name"] == .string("Rosa"))
            }
        }
    }

    @Test("SOS-12a SOS-08b: unless the wearer has said on the other side since that all is well")
    func pressedAndCalledOff() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.recovered(account)
            let path = "/dispatcher/v1/incidents/\(Self.incident(call))/false-alarm"
            try await dispatcher.withReplica { replica in
                try await dispatcher.withoutDatabase { () async throws in
                    #expect(try await replica.call(.post, path, account: account).status == .ok)
                    let press = try await dispatcher.call(
                        .post, "/dispatcher/v1/sos", account: account, body: #"{"id": "\#(UUID.random())"}"#)
                    #expect(press.status == .created)
                    #expect(
                        try await replica.wait(
                            "select clock_timestamp() > max(closed_at) + interval '4 seconds' from incident"))
                    #expect(try await replica.call(.post, path, account: account).status == .ok)
                }
                #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
                #expect(try await dispatcher.wait("select count(*) = 1 and bool_and(state = 'closed') from incident"))
                let said = try await dispatcher.database.queryOne(
                    PastEmergencies.lastSaidOver(account), as: Timestamp?.self)
                let first = try await dispatcher.database.queryOne(
                    "select closed_at from incident", as: Timestamp.self)
                #expect(try #require(said ?? nil) - (try #require(first)) > .seconds(3))
            }
        }
    }

    @Test(
        "SOS-07a SOS-05a: so is what becomes critical there, without its samples being read; read again it is the same one"
    )
    func found() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.recovered(account)
            let record = try TestDispatcher.record(TestDispatcher.live(critical, of: account), of: account)
            try await dispatcher.withReplica { replica in
                let alert = try await alert(after: call, of: account, dispatcher, replica) {
                    await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
                    let told = await dispatcher.hooks[0].desk.wait { $0.contains { $0.sequence > call.sequence } }
                    #expect(told.contains { Self.incident($0) == Self.incident(call) && $0.sequence > call.sequence })
                }
                #expect(alert["incident"]?["message"] == .string("alert"))
                try await dispatcher.apply([record])
                #expect(
                    try await dispatcher.database.queryOne(
                        "select array_agg(state = 'closed' order by opened_at) from incident", as: [Bool].self)
                        == [true, false])
            }
        }
    }

    @Test(
        "SOS-05d SOS-08b: a state that was called off without the database and has lasted severely since is told when it is read as a whole, and only then",
        arguments: [true, false])
    func severeSince(_ isMomentary: Bool) async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (UUID.random(), dispatcher.hooks[0].desk)
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 71], of: account, ago: .seconds(16))
            // Severe for a moment, or for as long as an emergency is, when it is called off.
            let first: [Double] = isMomentary ? [38, 25, 38, 38, 38] : [25, 25, 25, 25, 25]
            let whole = TestDispatcher.live(first + [25, 25, 25, 25, 25], of: account)
            var begun = whole
            begun.series[1] = SampleSeries(
                type: .heartRate, start: whole.series[1].start, offsets: first.indices.map { Int64($0) * 1000 },
                values: first)
            try await dispatcher.withoutDatabase { () async throws in
                await dispatcher.capabilities.liveHandler.foresee(
                    [try TestDispatcher.record(begun, of: account)], ofShard: 0)
                let call = try #require(await desk.firstCall())
                let path = "/dispatcher/v1/incidents/\(Self.incident(call))/false-alarm"
                #expect(try await dispatcher.call(.post, path, account: account).status == .ok)
            }
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            try await dispatcher.apply([try TestDispatcher.record(whole, of: account)])
            #expect(
                try await dispatcher.database.queryOne(
                    "select count(*) filter (where state <> 'closed') from incident", as: Int.self)
                    == (isMomentary ? 1 : 0))
        }
    }
}
