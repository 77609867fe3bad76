import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization
import Testing

@testable import Dispatcher

/// What ambulance services and wearers say while the database is away, and what becomes of it.
@Suite struct DecisionsApartTests {
    /// An incident that is handed over: with the database, or without it.
    private func handedOver(_ dispatcher: TestDispatcher, _ account: UUID) async throws -> FakeHook.Call {
        try await dispatcher.enrol(account)
        try await dispatcher.send([70, 71], of: account, ago: .seconds(8))
        try await dispatcher.send(critical, of: account)
        let call = try #require(await dispatcher.hooks[0].desk.firstCall())
        #expect(try await dispatcher.wait("select count(*) = 1 from incident where state = 'handed-over'"))
        return call
    }

    @Test(
        "SOS-13a SOS-07c: an acceptance while the database is away is answered once it is on disk, the next one refused, and both are known later"
    )
    func acceptance() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            let call = try await handedOver(dispatcher, .random())
            let id = try #require(UUID(String(call.id.prefix(36))))
            try await dispatcher.withoutDatabase { () async throws in
                let before = dispatcher.disk.appends
                #expect(try await dispatcher.reply("acceptance", to: call, from: north).status == .ok)
                #expect(dispatcher.disk.appends > before)
                // Said by another call it is written once more: the one before may have been refused elsewhere.
                for _ in 0..<2 {
                    let again = try await dispatcher.reply("acceptance", to: call, from: north, id: "again")
                    #expect(again.status == .ok)
                    let written = dispatcher.capabilities.journal[id]?.events.count {
                        if case .acceptedApart = $0.event { true } else { false }
                    }
                    #expect(written == 2)
                }
                #expect(try await dispatcher.reply("acceptance", to: call, from: south).status == .conflict)
                // What it was told has to be known where its acceptance may be known, too.
                #expect(dispatcher.capabilities.journal[id]?.events.last?.event.isRefusal(of: "south") == true)
                dispatcher.disk.state.withLock { $0.room = 0 }
                let refused = try await dispatcher.reply("acceptance", to: call, from: south)
                #expect(refused.status == .serviceUnavailable)
                dispatcher.disk.state.withLock { $0.room = .max }
                #expect(try await dispatcher.reply("resolution", to: call, from: south).status == .conflict)
            }
            #expect(try await dispatcher.wait("select machine::text like '%refusals%' from incident", seconds: 5))
            #expect(
                try await dispatcher.wait(
                    "select coalesce(bool_and(accepted_by = 'north'), false) from incident", seconds: 5))
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(try await dispatcher.reply("resolution", to: call, from: north).status == .ok)
            #expect(try await dispatcher.wait("select coalesce(bool_and(outcome = 'resolved'), false) from incident"))
        }
    }

    @Test("SOS-07a SOS-13a: what the disk did not take is on it soon after it has room, though the database hangs")
    func hanging() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let call = try await handedOver(dispatcher, .random())
            let (hook, journal) = (dispatcher.hooks[0], dispatcher.capabilities.journal)
            try await dispatcher.database.transaction { transaction in
                try await transaction.execute("lock table incident in access exclusive mode")
                // On disk, while the database is waited for.
                #expect(try await dispatcher.reply("acceptance", to: call, from: hook, id: "once").status == .ok)
                #expect(
                    try await dispatcher.wait { dispatcher.log.has("a step of a hand-over could not be written yet") })
                let count = journal.count
                dispatcher.disk.state.withLock { $0.room = 0 }
                let refused = try await dispatcher.reply("acceptance", to: call, from: hook, id: "twice")
                #expect(refused.status == .serviceUnavailable && journal.count == count)
                dispatcher.disk.state.withLock { $0.room = .max }
                #expect(try await dispatcher.wait(seconds: 5) { journal.count > count })
            }
            #expect(try await dispatcher.wait { journal.count == 0 })
        }
    }

    @Test(
        "SOS-13a: what can be written neither to the database nor to the disk is not answered as written; sent again it is"
    )
    func nowhere() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let call = try await handedOver(dispatcher, .random())
            try await dispatcher.withoutDatabase { () async throws in
                dispatcher.disk.state.withLock { $0.room = 0 }
                let refused = try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0], id: "once")
                #expect(refused.status == .serviceUnavailable)
                dispatcher.disk.state.withLock { $0.room = .max }
                let accepted = try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0], id: "once")
                #expect(accepted.status == .ok)
                // The attempt that was not answered, which may have been refused elsewhere since, and the one that was.
                let id = try #require(UUID(String(call.id.prefix(36))))
                let written = dispatcher.capabilities.journal[id]?.events.count {
                    if case .acceptedApart = $0.event { true } else { false }
                }
                #expect(written == 2)
            }
            #expect(try await dispatcher.wait("select coalesce(bool_and(accepted_by = 'north'), false) from incident"))
        }
    }

    @Test("SOS-08c SOS-08b: a false alarm while the database is away sends a cancellation at once, and stays one")
    func falseAlarm() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await handedOver(dispatcher, account)
            let id = String(call.id.prefix(36))
            try await dispatcher.withoutDatabase { () async throws in
                let path = "/dispatcher/v1/incidents/\(id)/false-alarm"
                #expect(try await dispatcher.call(.post, path, account: .random()).status == .notFound)
                let answer = try await dispatcher.call(.post, path, account: account)
                #expect(answer.status == .ok)
                #expect(try await dispatcher.json(answer)["outcome"] == .string("false-alarm"))
                let told = await dispatcher.hooks[0].desk.wait { $0.contains { $0.sequence > 1 } }
                #expect(try told.last?.json["incident"]?["message"] == .string("cancel"))
                let late = try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0])
                #expect(late.status == .conflict)
                let known = try #require(UUID(id).flatMap { dispatcher.capabilities.journal[$0] })
                #expect(known.events.contains { $0.event.isRefusal(of: "north") })
            }
            #expect(
                try await dispatcher.wait("select coalesce(bool_and(outcome = 'false-alarm'), false) from incident"))
        }
    }

    @Test(
        "SOS-08b SOS-07a: a false alarm of an incident that the database has never had stays one when its samples are read again"
    )
    func falseAlarmApart() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 71], of: account, ago: .seconds(8))
            let desk = dispatcher.hooks[0].desk
            let record = try TestDispatcher.record(TestDispatcher.live(critical, of: account), of: account)
            try await dispatcher.withoutDatabase { () async throws in
                await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
                let call = try #require(await desk.firstCall())
                let path = "/dispatcher/v1/incidents/\(call.id.prefix(36))/false-alarm"
                #expect(try await dispatcher.call(.post, path, account: account).status == .ok)
                _ = await desk.wait { $0.contains { $0.sequence > 1 } }
            }
            try await dispatcher.apply([record])
            #expect(
                try await dispatcher.wait("select count(*) = 1 and bool_and(outcome = 'false-alarm') from incident"))
            let alerts = try desk.calls.filter { try $0.json["incident"]?["message"] == .string("alert") }
            let cancelled = try #require(desk.calls.first { $0.sequence > 1 })
            #expect(alerts.allSatisfy { $0.at <= cancelled.at })
        }
    }

    @Test(
        "SOS-08b SOS-05a: a second critical state that was called off without the database is over when its samples are read again"
    )
    func secondStateCalledOff() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (UUID.random(), dispatcher.hooks[0].desk)
            let call = try await dispatcher.recovered(account)
            #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0]).status == .ok)
            let record = try TestDispatcher.record(TestDispatcher.live(critical, of: account), of: account)
            try await dispatcher.withoutDatabase { () async throws in
                await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
                _ = await desk.wait { $0.contains { $0.sequence > call.sequence } }
                let path = "/dispatcher/v1/incidents/\(call.id.prefix(36))/false-alarm"
                #expect(try await dispatcher.call(.post, path, account: account).status == .ok)
                // So it is when they are judged once more without it.
                await dispatcher.capabilities.liveHandler.foresightEnded(ofShard: 0)
                await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
            }
            // The false alarm is in the database first.
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            let notices = try await dispatcher.database.queryOne("select count(*) from notice", as: Int64.self)
            try await dispatcher.apply([record])
            #expect(
                try await dispatcher.wait("select count(*) = 1 and bool_and(outcome = 'false-alarm') from incident"))
            #expect(try await dispatcher.database.queryOne("select count(*) from notice", as: Int64.self) == notices)
            #expect(desk.calls.allSatisfy { $0.id.prefix(36) == call.id.prefix(36) })
        }
    }

    @Test("SOS-07a SOS-08b: what becomes critical after a false alarm without the database is an emergency of its own")
    func nextEmergency() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (UUID.random(), dispatcher.hooks[0].desk)
            let call = try await dispatcher.recovered(account)
            let record = try TestDispatcher.record(TestDispatcher.live(critical, of: account), of: account)
            let isOther = { @Sendable (other: FakeHook.Call) in other.id.prefix(36) != call.id.prefix(36) }
            try await dispatcher.withoutDatabase { () async throws in
                let path = "/dispatcher/v1/incidents/\(call.id.prefix(36))/false-alarm"
                #expect(try await dispatcher.call(.post, path, account: account).status == .ok)
                await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
                let told = try #require(await desk.wait { $0.contains(where: isOther) }.first(where: isOther))
                #expect(try told.json["incident"]?["message"] == .string("alert"))
            }
            try await dispatcher.apply([record])
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(
                try await dispatcher.wait(
                    """
                    select count(*) = 2 and count(*) filter (where outcome = 'false-alarm') = 1
                      and count(*) filter (where state <> 'closed') = 1 from incident
                    """))
            let last = try #require(desk.calls.last(where: isOther))
            #expect(try last.json["incident"]?["message"] == .string("alert"))
        }
    }

    @Test(
        "SOS-13a SOS-08c: while the database is away, a service hands back what it has accepted: the next one is called, and told of a false alarm"
    )
    func handedBack() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            let account = UUID.random()
            let call = try await handedOver(dispatcher, account)
            try await dispatcher.withoutDatabase { () async throws in
                #expect(try await dispatcher.reply("acceptance", to: call, from: north).status == .ok)
                #expect(try await dispatcher.reply("rejection", to: call, from: north).status == .ok)
                let next = try #require(await south.desk.firstCall())
                #expect(try await dispatcher.reply("acceptance", to: next, from: south).status == .ok)
                let path = "/dispatcher/v1/incidents/\(call.id.prefix(36))/false-alarm"
                #expect(try await dispatcher.call(.post, path, account: account).status == .ok)
                let told = await south.desk.wait { $0.contains { $0.sequence > next.sequence } }
                #expect(try told.last?.json["incident"]?["message"] == .string("cancel"))
            }
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(
                try await dispatcher.wait("select coalesce(bool_and(outcome = 'false-alarm'), false) from incident"))
        }
    }

    @Test(
        "SOS-13a: while the database is away, what only it can answer is not answered, and sent again counts; a rejection counts once it is back"
    )
    func unknownToThisProcess() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            let call = try await handedOver(dispatcher, .random())
            #expect(try await dispatcher.reply("acceptance", to: call, from: north).status == .ok)
            // Nothing is due, so that nobody delivers it.
            #expect(try await dispatcher.wait { dispatcher.capabilities.desk.runningCount == 0 })
            try await dispatcher.withoutDatabase { () async throws in
                for _ in 0..<2 {
                    let resolution = try await dispatcher.reply("resolution", to: call, from: north)
                    #expect(resolution.status == .serviceUnavailable)
                    let rejection = try await dispatcher.reply("rejection", to: call, from: north)
                    #expect(rejection.status == .serviceUnavailable)
                }
            }
            #expect(await south.desk.firstCall() != nil)
            #expect(try await dispatcher.reply("rejection", to: call, from: north).status == .ok)
        }
    }

    @Test(
        "SOS-07c: one acceptance on each side of a partition; within 5 s of its end the earlier stands, and the other service has a cancellation",
        arguments: [true, false])
    func partition(_ isApartFirst: Bool) async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            let call = try await handedOver(dispatcher, .random())
            try await dispatcher.withReplica { replica in
                try await replica.withoutDatabase { () async throws in
                    if !isApartFirst {
                        #expect(try await dispatcher.reply("acceptance", to: call, from: north).status == .ok)
                    }
                    #expect(try await replica.reply("acceptance", to: call, from: south).status == .ok)
                    // Whether it was first is known to the database.
                    let other = try await replica.reply("acceptance", to: call, from: north)
                    #expect(other.status == .serviceUnavailable)
                    if isApartFirst {
                        #expect(try await dispatcher.reply("acceptance", to: call, from: north).status == .ok)
                    }
                }
                let (winner, loser) = isApartFirst ? (south, north) : (north, south)
                #expect(
                    try await dispatcher.wait(
                        "select bool_and(accepted_by = \(winner.name)) and bool_and(state = 'acknowledged') from incident",
                        seconds: 5))
                let told = await loser.desk.wait(seconds: 5) { calls in
                    calls.contains { (try? $0.json["incident"]?["reason"]) == .string("accepted-by-another") }
                }
                #expect(told.last.map { (try? $0.json["incident"]?["message"]) == .string("cancel") } == true)
                #expect(try await dispatcher.wait { replica.capabilities.journal.count == 0 })
                let status = try await dispatcher.reply("resolution", to: call, from: loser).status
                #expect(status == .conflict)
            }
        }
    }

    @Test(
        "SOS-07c SOS-13a: who hands back on one side of a partition what it has accepted on the other comes no more: who accepted there does"
    )
    func handedBackOnTheOtherSide() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            let call = try await handedOver(dispatcher, .random())
            try await dispatcher.withReplica { replica in
                #expect(try await dispatcher.reply("acceptance", to: call, from: north).status == .ok)
                try await replica.withoutDatabase { () async throws in
                    #expect(try await replica.reply("acceptance", to: call, from: south).status == .ok)
                    let rejection = try await replica.reply("rejection", to: call, from: north)
                    #expect(rejection.status == .serviceUnavailable)
                }
                #expect(try await dispatcher.wait { replica.capabilities.journal.count == 0 })
                #expect(
                    try await dispatcher.wait(
                        "select coalesce(bool_and(accepted_by = 'south' and state = 'acknowledged'), false) from incident",
                        seconds: 5))
            }
        }
    }

    @Test(
        "SOS-08c SOS-07b: a false alarm on one side of a partition reaches a service that the other side has told more meanwhile",
        arguments: [true, false]
    )
    func falseAlarmOnTheOtherSide(isOnDisk: Bool) async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await handedOver(dispatcher, account)
            let id = try #require(UUID(String(call.id.prefix(36))))
            let record = try #require(try await dispatcher.capabilities.store.record(id))
            // Apart, the service was told twice how it goes on, and has received both.
            var journal = IncidentJournal(record)
            for event in [IncidentEvent.emergency(cause: "heart-rate"), .seen("position")] {
                journal.add(event, at: record.clock.age)
            }
            let received = journal.incident.lastNumber
            journal.add(.received("north", number: received), at: record.clock.age)
            var apart = JournalledIncident(id)
            apart.events = journal.unwritten.map(\.journalled)
            let path = "/dispatcher/v1/incidents/\(id)/false-alarm"
            #expect(try await dispatcher.call(.post, path, account: account).status == .ok)
            let store = dispatcher.capabilities.store
            if isOnDisk {
                _ = try await store.settle(apart)
            } else {
                let entries = journal.unwritten
                _ = try await store.change(id) { $0.apply(entries) }
            }
            dispatcher.capabilities.desk.changed(id)
            let told = await dispatcher.hooks[0].desk.wait { $0.contains { $0.sequence > received } }
            let cancellation = try #require(told.first { $0.sequence > received }).json
            #expect(cancellation["incident"]?["message"] == .string("cancel"))
            #expect(cancellation["incident"]?["reason"] == .string("false-alarm"))
        }
    }

    @Test(
        "SOS-07a SOS-07c: a person's incident that was accepted on a machine's disk stands before another one of the same person"
    )
    func otherIncident() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await handedOver(dispatcher, account)
            let store = dispatcher.capabilities.store
            let now = dispatcher.capabilities.standby.clock.now()
            var accepted = JournalledIncident(.test(account, openedAt: now), events: [.handOverBegun("north")])
            accepted.add(JournalEntry(.acceptedApart("north", at: age(1)), of: accepted.id, at: now))
            let refused = JournalledIncident(.test(account, openedAt: now), events: [.handOverBegun("north")])
            for _ in 0..<2 { _ = try await store.settle(refused) }
            #expect(
                try await dispatcher.database.queryOne(
                    "select outcome from incident where id = \(refused.id)", as: String.self) == "unanswered")
            for _ in 0..<2 { _ = try await store.settle(accepted) }
            let open = try await dispatcher.database.query(
                "select id, accepted_by from incident where state <> 'closed'", as: UUID.self, String?.self)
            #expect(open.map(\.0) == [accepted.id] && open.map(\.1) == ["north"])
            #expect(!call.id.hasPrefix(accepted.id.description))
        }
    }

    @Test("SOS-07a: entries that no incident is known for wait until another process has brought it")
    func unknown() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let store = dispatcher.capabilities.store
            let opened = JournalledIncident(.test(account, openedAt: .now()), events: [])
            var decided = JournalledIncident(opened.id)
            decided.add(JournalEntry(.acceptedApart("north", at: age(1)), of: opened.id, at: .now()))
            guard case .unknown = try await store.settle(decided) else { return #expect(Bool(false)) }
            _ = try await store.settle(opened)
            guard case .settled(let settled) = try await store.settle(decided) else { return #expect(Bool(false)) }
            #expect(settled.record.incident.acceptedBy == "north")
        }
    }
}

extension IncidentEvent {
    fileprivate func isRefusal(of hook: String) -> Bool { if case .refused(hook, _) = self { true } else { false } }
}
