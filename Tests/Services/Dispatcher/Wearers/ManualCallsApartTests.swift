import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

/// The SOS button while the database is away.
@Suite struct ManualCallsApartTests {
    private func press(
        _ id: UUID = .random(), of account: UUID, _ dispatcher: TestDispatcher
    ) async throws -> HTTPResponse {
        let token = try dispatcher.tokens.token(
            .device, account: account, scopes: ["sos"], client: UUID.random().description)
        return try await dispatcher.call(
            .post, "/dispatcher/v1/device/sos", fields: ["Authorization": "Bearer \(token)"],
            body: #"{"id": "\#(id)"}"#)
    }

    private func watched(_ dispatcher: TestDispatcher, more: String = "") async throws -> UUID {
        let account = UUID.random()
        try await dispatcher.enrol(account, more: more)
        try await dispatcher.send([70, 71], of: account, ago: .seconds(8))
        return account
    }

    private static func incident(_ call: FakeHook.Call) -> Substring { call.id.prefix(36) }

    @Test(
        "SOS-12a SOS-07ac: without the database the button calls at once, by what is in memory; what becomes critical after it is the same emergency"
    )
    func away() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (try await watched(dispatcher), dispatcher.hooks[0].desk)
            let call = try await dispatcher.withoutDatabase { () async throws in
                let began = Deadline.now()
                let answer = try await press(of: account, dispatcher)
                #expect(answer.status == .created)
                let call = try #require(await desk.firstCall())
                #expect(call.at.since(began) < .seconds(3))
                try await dispatcher.foresee(critical, of: account)
                let told = await desk.wait {
                    $0.contains { call in (try? call.json["incident"]?["causes"]?.items.isEmpty) == false }
                }
                #expect(told.allSatisfy { Self.incident($0) == Self.incident(call) })
                return call
            }
            let told = try call.json
            #expect(told["incident"]?["trigger"] == .string("manual"))
            #expect(told["position"]?["latitude"] == .number(45.4642) && told["person"]?["name"] == .string("Rosa"))
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 1)
        }
    }

    @Test("SOS-12a SOS-07a: a press that neither the database nor a disk has is to be sent again, and is one emergency")
    func keptNowhere() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk, id) = (try await watched(dispatcher), dispatcher.hooks[0].desk, UUID.random())
            try await dispatcher.withoutDatabase { () async throws in
                dispatcher.disk.state.withLock { $0.room = 0 }
                let refused = try await press(id, of: account, dispatcher)
                #expect(refused.status == .serviceUnavailable && refused.fields["Retry-After"] == "1")
                #expect(try await dispatcher.json(refused)["code"] == .string("not-kept-yet"))
                // It is called all the same.
                _ = try #require(await desk.firstCall())
                dispatcher.disk.state.withLock { $0.room = .max }
                #expect(
                    try await dispatcher.wait { try await press(id, of: account, dispatcher).status == .created })
            }
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 1)
            #expect(Set(desk.calls.map(Self.incident)).count == 1)
        }
    }

    @Test(
        "SOS-12a SOS-07a: what is found of somebody who has pressed is news of that, also where its courier alone has it"
    )
    func foundWithoutDisk() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (try await watched(dispatcher), dispatcher.hooks[0].desk)
            try await dispatcher.withoutDatabase { () async throws in
                dispatcher.disk.state.withLock { $0.room = 0 }
                #expect(try await press(of: account, dispatcher).status == .serviceUnavailable)
                let call = try #require(await desk.firstCall())
                try await dispatcher.foresee(critical, of: account)
                let told = await desk.wait {
                    $0.contains { call in (try? call.json["incident"]?["causes"]?.items.isEmpty) == false }
                }
                #expect(told.count > 1 && told.allSatisfy { Self.incident($0) == Self.incident(call) })
            }
            #expect(try await dispatcher.wait { dispatcher.capabilities.desk.couriers.allSatisfy(\.isStored) })
            #expect(try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 1)
        }
    }

    @Test("SOS-12a SOS-07a: pressed on two devices at the same moment, while the disk hangs, it is one emergency")
    func pressedAtOnce() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (try await watched(dispatcher), dispatcher.hooks[0].desk)
            try await dispatcher.withoutDatabase { () async throws in
                dispatcher.disk.hang(true)
                async let phone = press(of: account, dispatcher)
                async let watch = press(of: account, dispatcher)
                let known: [HTTPStatus] = [.created, .serviceUnavailable]
                for answer in [try await phone, try await watch] { #expect(known.contains(answer.status)) }
                dispatcher.disk.hang(false)
                #expect(await desk.firstCall() != nil)
            }
            #expect(try await dispatcher.wait { dispatcher.capabilities.desk.couriers.allSatisfy(\.isStored) })
            #expect(try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 1)
            #expect(Set(desk.calls.map(Self.incident)).count == 1)
        }
    }

    @Test("SOS-12a SOS-08b: who presses the button after a false alarm, both without the database, is heard")
    func pressedAfterFalseAlarm() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (try await watched(dispatcher), dispatcher.hooks[0].desk)
            try await dispatcher.send(critical, of: account)
            let first = try #require(await desk.firstCall())
            let path = "/dispatcher/v1/incidents/\(Self.incident(first))/false-alarm"
            try await dispatcher.withoutDatabase { () async throws in
                #expect(try await dispatcher.call(.post, path, account: account).status == .ok)
                #expect(try await press(of: account, dispatcher).status == .created)
                let told = await desk.wait { $0.contains { Self.incident($0) != Self.incident(first) } }
                let alert = try #require(told.first { Self.incident($0) != Self.incident(first) }).json
                #expect(alert["incident"]?["message"] == .string("alert"))
                #expect(alert["incident"]?["trigger"] == .string("manual"))
            }
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(
                try await dispatcher.wait(
                    """
                    select count(*) = 2 and count(*) filter (where outcome = 'false-alarm') = 1
                      and count(*) filter (where state <> 'closed') = 1 from incident
                    """))
        }
    }

    @Test("SOS-12a SOS-07c: pressed without the database when all have rejected what was found, they are called anew")
    func pressedAfterRejection() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk, north) = (
                try await watched(dispatcher), dispatcher.hooks[0].desk, dispatcher.hooks[0]
            )
            try await dispatcher.send(critical, of: account)
            let first = try #require(await desk.firstCall())
            try await dispatcher.withoutDatabase { () async throws in
                #expect(try await dispatcher.reply("rejection", to: first, from: north).status == .ok)
                #expect(try await press(of: account, dispatcher).status == .created)
                let told = await desk.wait { $0.contains { $0.sequence > first.sequence } }
                let alert = try #require(told.first { $0.sequence > first.sequence })
                #expect(Self.incident(alert) == Self.incident(first))
                #expect(try alert.json["incident"]?["message"] == .string("alert"))
                #expect(try await dispatcher.reply("acceptance", to: alert, from: north).status == .ok)
            }
            #expect(
                try await dispatcher.wait("select coalesce(bool_and(accepted_by = 'north'), false) from incident"))
            #expect(try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 1)
        }
    }

    @Test(
        "SOS-12a SOS-05a: what is found without the database of somebody who has pressed the button before is told to who has that incident"
    )
    func pressedBefore() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (try await watched(dispatcher), dispatcher.hooks[0].desk)
            #expect(try await press(of: account, dispatcher).status == .created)
            let pressed = try #require(await desk.firstCall())
            let record = try TestDispatcher.record(TestDispatcher.live(critical, of: account), of: account)
            try await dispatcher.withoutDatabase { () async throws in
                await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
            }
            try await dispatcher.apply([record])
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            try await dispatcher.apply([record])
            #expect(try await dispatcher.wait("select count(*) filter (where state <> 'closed') = 1 from incident"))
            let id = try #require(UUID(String(Self.incident(pressed))))
            let open = try #require(try await dispatcher.capabilities.store.record(id))
            #expect(open.incident.stage != .closed && open.details?.findings.count == 1)
            let told = await desk.wait { calls in
                calls.contains { Self.incident($0) == Self.incident(pressed) && $0.sequence > pressed.sequence }
            }
            #expect(told.contains { Self.incident($0) == Self.incident(pressed) && $0.sequence > 1 })
        }
    }

    @Test(
        "SOS-12a SOS-07c: a database that answers nothing delays the button by a second and a half, and the press is one emergency"
    )
    func hanging() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (try await watched(dispatcher), dispatcher.hooks[0].desk)
            let call = try await dispatcher.database.transaction { transaction in
                try await transaction.execute("lock table enrolment in access exclusive mode")
                let began = Deadline.now()
                let answer = try await press(of: account, dispatcher)
                #expect(answer.status == .created)
                let call = try #require(await desk.firstCall())
                #expect(call.at.since(began) < .seconds(3))
                return call
            }
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 1)
            #expect(desk.calls.allSatisfy { Self.incident($0) == Self.incident(call) })
        }
    }

    @Test(
        "SOS-12a SOS-08b: a press that the database takes late does not outlive the false alarm that was told after it")
    func takenApart() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (try await watched(dispatcher), dispatcher.hooks[0].desk)
            try await dispatcher.send(critical, of: account)
            let id = Self.incident(try #require(await desk.firstCall()))
            try await dispatcher.database.transaction { transaction in
                // The press waits for it as well as what is written of the incident.
                try await transaction.execute("lock table incident in access exclusive mode")
                #expect(try await press(of: account, dispatcher).status == .created)
                let path = "/dispatcher/v1/incidents/\(id)/false-alarm"
                #expect(try await dispatcher.call(.post, path, account: account).status == .ok)
            }
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(try await dispatcher.wait(TestDispatcher.isSettled))
            #expect(
                try await dispatcher.database.query("select outcome from incident", as: String?.self) == ["false-alarm"]
            )
            #expect(Set(desk.calls.map(Self.incident)) == [id])
        }
    }

    @Test(
        "SOS-12a SOS-14: of a press that comes to the database after a day the operator is told, and nobody is called")
    func tooLate() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (try await watched(dispatcher), dispatcher.hooks[0].desk)
            #expect(try await press(of: account, dispatcher).status == .created)
            let call = try #require(await desk.firstCall())
            let id = try #require(UUID(String(Self.incident(call))))
            #expect(try await dispatcher.capabilities.store.decide(.timeIsUp, of: id) == .done)
            var late = JournalledIncident(id)
            late.events = [.init(id: .random(), at: .now() - .seconds(90_000), event: .calledByHand)]
            _ = try await dispatcher.capabilities.desk.services.settle(late, deadline: nil)
            #expect(try await dispatcher.wait("select exists (select from operator_alarm where kind = 'late-alarm')"))
            #expect(try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 1)
        }
    }

    @Test(
        "SOS-12a SOS-08d: who presses while an emergency waits to be called off is helped at once, also without the database"
    )
    func inWindow() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = try await watched(dispatcher, more: #", "abort_window_s": 60"#)
            let desk = dispatcher.hooks[0].desk
            try await dispatcher.withoutDatabase {
                try await dispatcher.foresee(critical, of: account)
                #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count > 0 })
                #expect(desk.calls.isEmpty)
                let answer = try await press(of: account, dispatcher)
                #expect(answer.status == .created)
                let call = try #require(await desk.firstCall())
                #expect(try call.json["incident"]?["sos_pressed"] != nil)
            }
            #expect(try await dispatcher.wait("select count(*) = 1 from incident"))
        }
    }
}
