import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

/// Samples that ingestion could not store.
@Suite struct ProvisionalTests {
    private let account = UUID.random()
    private let critical = [Double](repeating: 30, count: 6)

    private func pass(
        _ live: [Ingestion.LiveSamples], to dispatcher: TestDispatcher, age: Int64 = 0, as caller: String = "ingestion"
    ) async throws {
        _ = try await judged(live, by: dispatcher, age: age, as: caller)
    }

    private func judged(
        _ live: [Ingestion.LiveSamples], by dispatcher: TestDispatcher, age: Int64 = 0, as caller: String = "ingestion"
    ) async throws -> Dispatcher.Provisional.Result {
        try await LocalCaller(router: dispatcher.assembled.rpc, as: caller).call(
            Dispatcher.Provisional.self,
            .init(uploads: live.map { .init(samples: $0, ageMilliseconds: age) }), deadline: nil)
    }

    private func shown(_ dispatcher: TestDispatcher) async throws -> JSONValue {
        let id = try #require(try await dispatcher.incidents(of: account).first?["id"]?.text)
        return try await dispatcher.json(
            try await dispatcher.call(.get, "/dispatcher/v1/incidents/\(id)", account: account))
    }

    private func steps(_ incident: JSONValue) -> [String] {
        incident["steps"]?.items.compactMap { $0["kind"]?.text } ?? []
    }

    private func isProvisional(_ incident: JSONValue) -> JSONValue? {
        incident["causes"]?.items.first?["is_provisional"]
    }

    @Test(
        "SOS-05ad SOS-07a SOS-14: an emergency in samples that could not be stored is handed over, and marked until they are"
    )
    func handedOver() async throws {
        let (account, critical) = (account, critical)
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            try await dispatcher.enrol(account)
            let live = TestDispatcher.live(critical, of: account)
            try await pass([live], to: dispatcher)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            #expect(try call.json["incident"]?["causes"]?.items.first?["is_provisional"] == .bool(true))
            var incident = try await shown(dispatcher)
            #expect(isProvisional(incident) == .bool(true))
            #expect(steps(incident).contains("provisional") && !steps(incident).contains("stored"))

            // The device sends it again, and it comes through the feed, in two parts.
            for part in [0..<3, 3..<6] {
                var half = live
                half.series[1].offsets = Array(live.series[1].offsets[part])
                half.series[1].values = live.series[1].values.map { Array($0[part]) }
                try await dispatcher.apply([try TestDispatcher.record(half, of: account)])
                incident = try await shown(dispatcher)
                #expect(steps(incident).contains("stored") == (part.upperBound == 6))
            }
            #expect(isProvisional(incident) == .bool(false))
            try await dispatcher.apply([try TestDispatcher.record(live, of: account)])
            try await pass([live], to: dispatcher)
            incident = try await shown(dispatcher)
            #expect(steps(incident).filter { $0 == "stored" || $0 == "provisional" }.count == 2)
            #expect(!steps(incident).contains("updated"))
            #expect(try await dispatcher.incidents(of: account).count == 1)
            #expect(Set(dispatcher.hooks[0].desk.calls.map { $0.id.prefix(36) }).count == 1)
        }
    }

    @Test("SOS-05d SOS-14: what has come from storage before is not provisional, and is judged once")
    func storedBefore() async throws {
        let (account, critical) = (account, critical)
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            try await dispatcher.enrol(account)
            let live = TestDispatcher.live(critical, of: account)
            try await dispatcher.apply([try TestDispatcher.record(live, of: account)])
            try await pass([live], to: dispatcher)
            let incident = try await shown(dispatcher)
            #expect(isProvisional(incident) == .bool(false))
            #expect(!steps(incident).contains("provisional") && !steps(incident).contains("updated"))
        }
    }

    @Test("SOS-14: an incident that is over tells, too, that what it rests on was stored since")
    func overBefore() async throws {
        let (account, critical) = (account, critical)
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            try await dispatcher.enrol(account)
            let live = TestDispatcher.live(critical, of: account)
            try await pass([live], to: dispatcher)
            let id = try #require(try await dispatcher.incidents(of: account).first?["id"]?.text)
            let answer = try await dispatcher.call(
                .post, "/dispatcher/v1/incidents/\(id)/false-alarm", account: account)
            #expect(answer.status == .ok)
            #expect(try await !steps(shown(dispatcher)).contains("stored"))
            // The device's clock was set meanwhile: all that was judged of it begins anew.
            var again = live
            again.sentAt = live.sentAt + .seconds(120)
            try await dispatcher.apply([try TestDispatcher.record(again, of: account)])
            #expect(try await steps(shown(dispatcher)).contains("stored"))
            #expect(try await dispatcher.incidents(of: account).count == 1)
        }
    }

    /// What was judged without the database has not come to it yet when the feed is read: the monitor that is committed knows of nothing
    /// provisional.
    @Test(
        "SOS-05d SOS-14: what is read from storage before the monitor has it as provisional marks the incident as stored, too",
        arguments: [
            (isOver: false, held: Duration.zero), (true, .zero), (false, Monitor.backlogMax + .seconds(60)),
            (true, Monitor.backlogMax + .seconds(60)),
        ])
    func storedFirst(_ isOver: Bool, _ held: Duration) async throws {
        let (account, critical) = (account, critical)
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 71], of: account, ago: .seconds(8))
            let before = try await dispatcher.database.queryOne(
                "select state from monitor where account = \(account)", as: [UInt8].self)
            let live = TestDispatcher.live(critical, of: account)
            try await pass([live], to: dispatcher)
            try await dispatcher.database.execute(
                "update monitor set state = \(before), revision = revision + 1 where account = \(account)")
            var incident = try await shown(dispatcher)
            #expect(isProvisional(incident) == .bool(true))
            if isOver {
                let id = try #require(incident["id"]?.text)
                let answer = try await dispatcher.call(
                    .post, "/dispatcher/v1/incidents/\(id)/false-alarm", account: account)
                #expect(answer.status == .ok)
            }
            for part in [0..<3, 0..<6, 0..<6] {
                var some = live
                some.series[1].offsets = Array(live.series[1].offsets[part])
                some.series[1].values = live.series[1].values.map { Array($0[part]) }
                try await dispatcher.apply([try TestDispatcher.record(some, of: account, held: held)])
            }
            incident = try await shown(dispatcher)
            #expect(steps(incident).filter { $0 == "stored" }.count == 1)
            if !isOver { #expect(isProvisional(incident) == .bool(false)) }
            #expect(!steps(incident).contains("updated"))
            #expect(try await dispatcher.incidents(of: account).count == 1)
            try await pass([live], to: dispatcher)
            #expect(try await steps(shown(dispatcher)).filter { $0 == "stored" || $0 == "provisional" }.count == 2)
        }
    }

    @Test(
        "SOS-05d: nothing that ingestion says of others, of no form, of no age or of too many makes an alarm or a failure"
    )
    func lies() async throws {
        let (account, critical) = (account, critical)
        try await TestDispatcher.with { dispatcher in
            try await dispatcher.enrol(account)
            let live = TestDispatcher.live(critical, of: account)
            // No other service may say anything.
            for caller in ["query", "track4run", "accounts", "simulator"] {
                let error = await #expect(throws: RPCError.self) {
                    try await pass([live], to: dispatcher, as: caller)
                }
                #expect(error?.code == .notAllowed)
            }
            try await pass([TestDispatcher.live(critical, of: .random())], to: dispatcher)
            for age: Int64 in [-1, .min, 300_001, .max] { try await pass([live], to: dispatcher, age: age) }
            var crooked = live
            crooked.series[1].values = [30]
            try await pass([crooked], to: dispatcher)
            var timeless = live
            timeless.sentAt = try #require(Timestamp("2300-01-01T00:00:00Z"))
            try await pass([timeless], to: dispatcher)
            var old = live
            old.sentAt = live.sentAt + .seconds(400)
            try await pass([old], to: dispatcher)
            var many = live
            many.series = [SampleSeries](repeating: live.series[1], count: ProvisionalMethod.seriesMax + 1)
            try await pass([many], to: dispatcher)
            let count = Dispatcher.Provisional.uploadsMax + 1
            await #expect(throws: RPCError.self) {
                try await pass([Ingestion.LiveSamples](repeating: live, count: count), to: dispatcher)
            }
            var large = live
            large.series[1].offsets = (0...Dispatcher.Provisional.samplesMax).map { Int64($0) }
            large.series[1].values = [Double](repeating: 30, count: Dispatcher.Provisional.samplesMax + 1)
            await #expect(throws: RPCError.self) { try await pass([large], to: dispatcher) }
            #expect(try await dispatcher.incidents(of: account).isEmpty)
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
            // Somebody's nonsense stops nobody's alarm.
            try await pass([crooked, TestDispatcher.live(critical, of: account)], to: dispatcher)
            #expect(try await dispatcher.incidents(of: account).count == 1)
        }
    }

    @Test("SOS-07a: while nothing can be written it is judged from memory, and comes to the database when that is back")
    func databaseAway() async throws {
        let (account, critical) = (account, critical)
        try await TestDispatcher.with { dispatcher in
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 71], of: account, ago: .seconds(8))
            let live = TestDispatcher.live(critical, of: account)
            try await dispatcher.database.execute("alter table monitor rename to away")
            try await pass([live], to: dispatcher)
            // It is out of there while it is tried again.
            #expect(try await dispatcher.wait { dispatcher.capabilities.provisional.keptCount == 1 })
            #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
            try await dispatcher.database.execute("alter table away rename to monitor")
            #expect(try await dispatcher.wait("select count(*) = 1 from incident"))
            // The device sends it again, which may be read before what was kept is committed, or after.
            try await dispatcher.apply([try TestDispatcher.record(live, of: account)])
            #expect(try await dispatcher.wait("select count(*) = 1 from incident_step where kind = 'stored'"))
            #expect(try await dispatcher.wait { dispatcher.capabilities.provisional.keptCount == 0 })
            let call = try #require(dispatcher.hooks[0].desk.calls.first)
            #expect(dispatcher.hooks[0].desk.calls.allSatisfy { $0.id == call.id })
            #expect(try call.json["incident"]?["causes"]?.items.first?["is_provisional"] == .bool(true))
        }
    }

    @Test(
        "SOS-05a SOS-07ac: while the database answers nothing, an emergency that is on disk already holds up nobody else's"
    )
    func hanging() async throws {
        let (first, second) = (UUID.random(), UUID.random())
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            for account in [first, second] {
                try await dispatcher.enrol(account)
                try await dispatcher.send([70, 71], of: account, ago: .seconds(8))
            }
            let desk = dispatcher.hooks[0].desk
            try await dispatcher.database.transaction { transaction in
                try await transaction.execute("lock table monitor, incident in access exclusive mode")
                try await pass([TestDispatcher.live(critical, of: first)], to: dispatcher)
                let call = try #require(await desk.firstCall())
                // The first one's device goes on sending.
                let began = Deadline.now()
                for _ in 0..<2 {
                    try await pass([TestDispatcher.live([30], of: first)], to: dispatcher)
                    try await pass(
                        [TestDispatcher.live([30], of: first), TestDispatcher.live(critical, of: second)],
                        to: dispatcher)
                }
                let calls = await desk.wait { calls in calls.contains { $0.id.prefix(36) != call.id.prefix(36) } }
                let other = try #require(calls.first { $0.id.prefix(36) != call.id.prefix(36) })
                #expect(other.at.since(began) < .seconds(2))
            }
            #expect(try await dispatcher.wait("select count(*) = 2 from incident"))
        }
    }

    @Test("SOS-05a: whom a replica cannot judge without the database it names, so that another one is asked")
    func strangers() async throws {
        let (account, critical) = (account, critical)
        try await TestDispatcher.with { dispatcher in
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 71], of: account, ago: .seconds(8))
            let stranger = UUID.random()
            let uploads = [account, stranger].map { TestDispatcher.live(critical, of: $0) }
            let answer = try await dispatcher.withoutDatabase { try await judged(uploads, by: dispatcher) }
            #expect(answer.unknown == [stranger])
            #expect(answer.replica == dispatcher.capabilities.store.holder)
        }
    }
}
