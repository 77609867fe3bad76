import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Telemetry
import Testing

@testable import Dispatcher

/// The keys of people and incidents, and their store being away.
@Suite struct KeyTests {
    private func gaps(_ dispatcher: TestDispatcher) async throws -> Set<UUID> {
        Set(try await dispatcher.database.query("select account from feed_gap", as: UUID.self))
    }

    // MARK: The key store is away

    @Test("SOS-05 SOS-06: While the key store is away, an emergency of who is watched is handed over as ever")
    func away() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.withoutKeyStore {
                try await dispatcher.send(critical, of: account)
                #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
                let incident = try #require(try await dispatcher.incidents(of: account).first)
                #expect(incident["causes"]?.items.isEmpty == false)
                #expect(try await gaps(dispatcher).isEmpty)
            }
        }
    }

    @Test("SOS-05: A replica reads the keys of everybody who is watched, also those of whom no sample has come")
    func kept() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let other = try await dispatcher.another()
            try await other.capabilities.watchedKeys.keep()
            try await dispatcher.withoutKeyStore {
                try await other.send(critical, of: account)
                #expect(try await other.incidents(of: account).count == 1)
            }
            await other.stop()
        }
    }

    /// Ingestion, which has one upload of each.
    private func storage(_ values: [Double]) -> LocalCaller {
        var router = RPCRouter()
        router.register(Ingestion.ReadGap.self, allow: ["dispatcher"]) { params, _ in
            let samples = TestDispatcher.live(values, of: params.accountID)
            return .init(
                uploads: [.init(samples: samples, ageMilliseconds: 2000)], next: .init(after: 1), hasMore: false)
        }
        return LocalCaller(router: router, as: "dispatcher")
    }

    @Test("SOS-05: What comes for a replica that has begun without the key store is read as soon as that is back")
    func begunWithout() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            await dispatcher.stop()
            try await dispatcher.keyStore.database.execute("alter table subject_key rename to away")
            let other = try await dispatcher.another()
            let reader = GapReader(
                people: other.capabilities.people, gaps: GapStore(database: other.database),
                ingestion: storage(critical)
            ) { FeedProgress(appliedUntil: .now() + .seconds(60), age: .zero) }
            try await other.send(critical, of: account)
            #expect(try await gaps(other) == [account])
            #expect(try await reader.look() == 0)
            #expect(try await gaps(other) == [account])
            #expect(
                other.log.has(
                    "people cannot be watched: their keys are not at hand, or their enrolments cannot be read"))
            let count = try await other.database.queryOne("select count(*) from incident", as: Int.self)
            #expect(count == 0)

            try await dispatcher.keyStore.database.execute("alter table away rename to subject_key")
            let isRead = try await other.wait {
                try await other.database.execute("update feed_gap set claimed_until = '-infinity'")
                return try await reader.look() == 1
            }
            #expect(isRead)
            #expect(try await other.incidents(of: account).count == 1)
            #expect(await other.hooks[0].desk.firstCall() != nil)
            await other.stop()
        }
    }

    @Test(
        "SOS-05 SOS-11: Somebody whose key is lost holds up nobody: neither samples, nor silence, nor what is judged late"
    )
    func lost() async throws {
        try await TestDispatcher.with { dispatcher in
            let (lost, other) = (UUID.random(), UUID.random())
            for account in [lost, other] { try await dispatcher.enrol(account) }
            try await dispatcher.keyStore.database.execute("delete from subject_key where account_id = \(lost)")
            let replica = try await dispatcher.another()
            let (people, store) = (replica.capabilities.people, GapStore(database: replica.database))
            let records = try [lost, other].map {
                try TestDispatcher.record(TestDispatcher.live(critical, of: $0), of: $0)
            }
            try await replica.apply(records)
            #expect(try await replica.database.query("select account from incident", as: UUID.self) == [other])
            #expect(try await gaps(replica) == [lost])

            try await replica.database.batch([
                "delete from feed_gap", "delete from incident",
                "update monitor set judge_by = clock_timestamp()",
            ])
            let backlog = BacklogWatch(people: people, gaps: store) { FeedProgress(appliedUntil: nil, age: .zero) }
            #expect(try await backlog.look() == 2)
            let waiting = try await replica.database.query(
                "select account from monitor where judge_by > clock_timestamp()", as: UUID.self)
            #expect(waiting == [lost])
            try await replica.database.batch([
                try await replica.monitor(of: other, begunAt: .now() - .seconds(3600)),
                "update monitor set last_vital_at = clock_timestamp() - interval '1 hour'",
            ])
            #expect(try await gaps(replica) == [lost])
            #expect(try await backlog.look() == 0)
            try await replica.database.execute("delete from feed_gap")
            let watch = SilenceWatch(people: people, gaps: store, metrics: Metrics()) {
                FeedProgress(appliedUntil: nil, age: .zero)
            }
            let start = Deadline.now()
            for second in stride(from: Int64(0), through: 300, by: 15) {
                try await watch.look(at: start.advanced(by: .seconds(second)))
            }
            #expect(try await gaps(replica) == [lost])
            let blind = try await replica.database.query(
                "select account from monitor where phase = 'blind'", as: UUID.self)
            #expect(blind == [other])
            // Nothing is stored with another key either.
            let answer = try await replica.call(
                .put, "/dispatcher/v1/enrolment", account: lost,
                body:
                    #"{"clauses_version": "2026-01", "grants_emergency_calls": true, "callback_phone": "+39 02 1234567"}"#
            )
            #expect(answer.status == .serviceUnavailable)
            await replica.stop()
        }
    }

    // MARK: Incidents

    /// An emergency that is over, and that nobody has to look after any more.
    private func closed(_ dispatcher: TestDispatcher, of account: UUID) async throws -> UUID {
        try await dispatcher.enrol(account)
        try await dispatcher.send(critical, of: account)
        let hook = dispatcher.hooks[0]
        let call = try #require(await hook.desk.firstCall())
        #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
        #expect(try await dispatcher.reply("resolution", to: call, from: hook).status == .ok)
        #expect(try await dispatcher.wait("select bool_and(due_at is null and state = 'closed') from incident"))
        return try #require(
            try await dispatcher.database.queryOne("select id from incident where account = \(account)", as: UUID.self))
    }

    private func ownKey(_ dispatcher: TestDispatcher, of incident: UUID) async throws -> UUID? {
        try await dispatcher.database.queryOne(
            "select record_key from incident where id = \(incident) and details is null and record is not null",
            as: UUID.self)
    }

    @Test(
        "ACC-12e SOS-13: An emergency that is over is sealed with a key of its own, and its wearer reads it as before")
    func putAway() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, store) = (UUID.random(), dispatcher.capabilities.store)
            let incident = try await closed(dispatcher, of: account)
            let before = try #require(try await dispatcher.incidents(of: account).first)
            let details = try await store.details(of: incident)
            try await store.putAway()
            let key = try #require(try await ownKey(dispatcher, of: incident))
            #expect(try await dispatcher.incidents(of: account).first == before)
            #expect(try await store.details(of: incident) == details)
            // What comes late is answered as ever.
            let late = try await dispatcher.call(
                .post, "/dispatcher/v1/incidents/\(incident)/false-alarm", account: account)
            #expect(late.status == .conflict)
            // Without the key store it is shown without what was measured.
            try await dispatcher.keyStore.database.execute("delete from subject_key where account_id = \(key)")
            dispatcher.capabilities.people.keys.forget([key])
            let without = try #require(try await dispatcher.incidents(of: account).first)
            #expect(without["id"] == before["id"] && without["causes"]?.items.isEmpty ?? true)
        }
    }

    @Test("SOS-06 ACC-12e: A service that accepts what was put away is told that it is over, and it is put away again")
    func takenOut() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let store = dispatcher.capabilities.store
            let incident = try await closed(dispatcher, of: .random())
            try await store.putAway()
            let key = try #require(try await ownKey(dispatcher, of: incident))
            let (call, south) = (try #require(dispatcher.hooks[0].desk.calls.last), dispatcher.hooks[1])
            #expect(south.desk.calls.isEmpty)
            #expect(try await dispatcher.reply("acceptance", to: call, from: south).status == .conflict)
            #expect(await south.desk.firstCall() != nil)
            #expect(try await dispatcher.wait("select bool_and(due_at is null) from incident"))
            try await store.putAway()
            let again = try #require(try await ownKey(dispatcher, of: incident))
            #expect(again != key)
            try await KeyDestruction(of: dispatcher.capabilities.people.keys, in: dispatcher.database).run(at: .now())
            let gone = try await dispatcher.keyStore.database.query(
                "select account_id from subject_key where wrapped is null", as: UUID.self)
            #expect(gone == [key])
        }
    }

    @Test("ACC-12e: An emergency that cannot be read stays as it is, and keeps none from being put away")
    func unreadable() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let store = dispatcher.capabilities.store
            let first = try await closed(dispatcher, of: .random())
            try await dispatcher.database.execute("update incident set details = 'x' where id = \(first)")
            let calls = dispatcher.hooks[0].desk.calls.count
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let call = try #require(await dispatcher.hooks[0].desk.wait { $0.count > calls }.last)
            for answer in ["acceptance", "resolution"] {
                #expect(try await dispatcher.reply(answer, to: call, from: dispatcher.hooks[0]).status == .ok)
            }
            #expect(try await dispatcher.wait("select bool_and(due_at is null and state = 'closed') from incident"))
            for _ in 0..<2 { try await store.putAway() }
            let open = try await dispatcher.database.query(
                "select id from incident where details is not null", as: UUID.self)
            #expect(open == [first])
        }
    }

    @Test(
        "ACC-12e NFR-06: With an emergency's retention its key ends; what the erased person's contacts were sealed with, too"
    )
    func ends() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, store) = (UUID.random(), dispatcher.capabilities.store)
            let incident = try await closed(dispatcher, of: account)
            try await store.putAway()
            let key = try #require(try await ownKey(dispatcher, of: incident))
            let keys = dispatcher.capabilities.people.keys
            let (database, stored) = (dispatcher.database, dispatcher.keyStore.database)
            let copy = try #require(
                try await database.queryOne(
                    "select details from enrolment where account = \(account)", as: [UInt8].self))
            let personal = try #require(try await keys.existingKey(of: account))
            #expect(throws: Never.self) {
                _ = try PersonalColumn.enrolment.open(
                    packed: copy, as: EnrolmentDetails.self, of: account, with: personal)
            }
            try await stored.execute("create table backup as select * from subject_key")

            _ = try await dispatcher.capabilities.erasures.erase(account, at: .now(), in: database)
            try await store.restrictDue()
            try await dispatcher.capabilities.erasures.report(at: .now())
            let destruction = KeyDestruction(of: keys, in: database)
            try await destruction.run(at: .now())
            let gone: SQL = "select account_id from subject_key where wrapped is null"
            #expect(Set(try await stored.query(gone, as: UUID.self)) == [account, key])
            let second = try #require(try await ownKey(dispatcher, of: incident))
            let details = try #require(try await store.details(of: incident))
            #expect(second != key && details.enrolment.contacts.isEmpty && !details.findings.isEmpty)

            try await database.execute("update incident set opened_at = opened_at - interval '11 years'")
            #expect(try await store.delete(openedBefore: .now() - .seconds(86_400), at: .now()) == 1)
            try await destruction.run(at: .now())
            #expect(Set(try await stored.query(gone, as: UUID.self)) == [account, key, second])

            // A backup of the key store brings some back.
            try await stored.batch([
                "delete from subject_key", "insert into subject_key select * from backup",
                "update erasure_database set identity = 'another'",
            ])
            let replica = try await dispatcher.another()
            try await replica.capabilities.restoredKeys.destroyAgain()
            #expect(Set(try await stored.query(gone, as: UUID.self)) == [account, key, second])
            await replica.stop()
        }
    }
}
