import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Testing

@testable import Dispatcher

/// Monitors that are judged in memory and saved now and then.
@Suite struct LiveMonitorTests {
    private func stored(_ account: UUID, _ dispatcher: TestDispatcher) async throws -> (
        revision: Int64, monitor: Monitor
    ) {
        let row = try await dispatcher.database.queryOne(
            "select revision, state from monitor where account = \(account)", as: Int64.self, [UInt8].self)
        let (revision, state) = try #require(row)
        let key = try #require(try await dispatcher.capabilities.people.keys.existingKey(of: account))
        return (
            revision, try Monitor(packed: try PersonalColumn.monitor.open(bytes: state, of: account, with: key))
        )
    }

    private func record(_ values: [Double], of account: UUID, ago: Duration = .zero) throws -> FeedRecord {
        try TestDispatcher.record(TestDispatcher.live(values, of: account, ago: ago), of: account)
    }

    private func samples(_ monitor: Monitor) -> Int {
        monitor.tracks.values.reduce(0) { $0 + $1.entries.count }
    }

    @Test("SOS-02 NFR-02: samples of somebody who is well write nothing until they are saved, and are all there then")
    func quiet() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let before = try await stored(account, dispatcher)
            for second in 1...3 {
                let record = try record([70, 71], of: account, ago: .seconds(8 - 2 * Int64(second)))
                guard case .kept = try await dispatcher.capabilities.liveHandler.apply([record]) else {
                    Issue.record("something was written")
                    return
                }
            }
            let meanwhile = try await stored(account, dispatcher)
            #expect(meanwhile.revision == before.revision && meanwhile.monitor == before.monitor)
            try await dispatcher.capabilities.liveHandler.save(ofShard: 0)
            let after = try await stored(account, dispatcher)
            #expect(after.revision == before.revision + 1 && samples(after.monitor) == 6)
            let roster = dispatcher.capabilities.standby.roster
            #expect(roster.unsavedCount == 0 && roster.live(account)?.isUnsaved == false)
            #expect(roster[account]?.monitor == after.monitor.packed)
            // Nothing new, nothing written.
            try await dispatcher.capabilities.liveHandler.save(ofShard: 0)
            #expect(try await stored(account, dispatcher).revision == after.revision)
        }
    }

    @Test(
        "SOS-05 SOS-07a: an emergency is written at once, with what is in memory alone; replayed after a crash it is the same one"
    )
    func emergency() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, other) = (UUID.random(), UUID.random())
            for account in [account, other] { try await dispatcher.enrol(account) }
            let records = [
                try record([70, 72], of: account, ago: .seconds(8)), try record([70, 71], of: other),
                try record([38, 37, 36, 38], of: account, ago: .seconds(2)), try record([37, 38], of: account),
            ]
            for record in records { try await dispatcher.keep([record]) }
            #expect(try await dispatcher.incidents(of: account).count == 1)
            #expect(samples(try await stored(account, dispatcher).monitor) == 8)
            #expect(samples(try await stored(other, dispatcher).monitor) == 0)
            await dispatcher.stop()
            // Another process reads all of it again.
            let next = try await dispatcher.another()
            for record in records { try await next.keep([record]) }
            try await next.capabilities.liveHandler.save(ofShard: 0)
            #expect(samples(try await stored(account, next).monitor) == 8)
            #expect(samples(try await stored(other, next).monitor) == 2)
            #expect(try await next.incidents(of: account).count == 1)
            let opened = try await next.database.queryOne(
                "select count(*) from incident_step where kind = 'opened'", as: Int.self)
            #expect(opened == 1)
            await next.stop()
        }
    }

    @Test(
        "SOS-07 NFR-03: a monitor that another process has written stays, and what was in memory alone is read from storage"
    )
    func overtaken() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = [UUID.random(), UUID.random()]
            for account in accounts { try await dispatcher.enrol(account) }
            let other = try await dispatcher.another()
            for account in accounts {
                try await dispatcher.keep([try record([70, 71], of: account, ago: .seconds(6))])
            }
            // The other one sees something that is to be told.
            for account in accounts { try await other.keep([try record([70, 38], of: account, ago: .seconds(3))]) }
            let written = try await stored(accounts[0], dispatcher)
            try await dispatcher.capabilities.liveHandler.save(ofShard: 0)
            #expect(try await stored(accounts[0], dispatcher) == written)
            #expect(dispatcher.capabilities.standby.roster.live(accounts[0])?.revision == written.revision)
            #expect(dispatcher.capabilities.standby.roster.live(accounts[0])?.isUnsaved == false)
            let gaps = Set(try await dispatcher.database.query("select account from feed_gap", as: UUID.self))
            #expect(gaps == Set(accounts))
            // A run across the two is one.
            try await dispatcher.keep([try record([37, 36, 38], of: accounts[1])])
            #expect(try await dispatcher.incidents(of: accounts[1]).count == 1)
            await other.stop()
        }
    }

    /// What happens just before monitors are saved.
    private struct Before: MonitorKeeper {
        let keeper: StoredMonitors
        let body: @Sendable () async throws -> Void

        func news(since time: Duration) async throws -> MonitorNews { try await keeper.news(since: time) }
        func load(_ accounts: [UUID]) async throws -> Set<UUID> { try await keeper.load(accounts) }
        func openGaps(of accounts: Set<UUID>) async throws { try await keeper.openGaps(of: accounts) }
        func save(_ monitors: [Roster.Unsaved]) async throws -> Set<UUID> {
            try await body()
            return try await keeper.save(monitors)
        }
    }

    @Test(
        "SOS-07 SOS-05: a monitor that this process has written while it was to be saved stays in memory, where it is judged without the database"
    )
    func writtenHere() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.keep([try record([70, 71], of: account, ago: .seconds(6))])
            let alarm = try record(critical, of: account)
            let keeper = Before(keeper: StoredMonitors(people: dispatcher.capabilities.people)) {
                try await dispatcher.keep([alarm])
            }
            let live = LiveMonitors(people: dispatcher.capabilities.people, keeper: keeper, metrics: Metrics())
            try await live.save()
            let known = try #require(dispatcher.capabilities.standby.roster.live(account))
            let revision = try await stored(account, dispatcher).revision
            #expect(known.hasIncident && known.revision == revision)
            #expect(try await dispatcher.database.queryOne("select count(*) from feed_gap", as: Int.self) == 0)
        }
    }

    @Test("SOS-03b SOS-01: what another replica has changed of a person is known within a second or so")
    func changedElsewhere() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.keep([try record([122, 123], of: account, ago: .seconds(9))])
            let other = try await dispatcher.another()
            let response = try await other.call(
                .put, "/dispatcher/v1/enrolment", account: account,
                body: """
                    {"clauses_version": "2026-01", "grants_emergency_calls": true, "callback_phone": "+39 02 1234567",
                     "contacts": [{"name": "Luca", "phone": "+39 333 1234567", "email": "luca@example.org"}],
                     "rules": "fixed-45-120"}
                    """)
            #expect(response.status == .ok)
            let isKnown = try await dispatcher.wait {
                try await dispatcher.keep([try record([125, 124, 123, 125, 124], of: account)])
                return try await !dispatcher.incidents(of: account).isEmpty
            }
            #expect(isKnown)
            await other.stop()
        }
    }

    @Test("SOS-06: while an emergency is open each upload is looked at, whoever opened it")
    func openElsewhere() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.keep([try record([70, 71], of: account, ago: .seconds(6))])
            let other = try await dispatcher.another()
            try await other.send([38, 37, 36, 38], of: account, ago: .seconds(1))
            let isLooked = try await dispatcher.wait {
                if case .keptBut = try await dispatcher.capabilities.liveHandler.apply([try record([70], of: account)])
                {
                    return true
                }
                return false
            }
            #expect(isLooked)
            await other.stop()
        }
    }

    @Test("SOS-03: what was changed while a replica looked at nothing is read by it before the next sample")
    func longAgo() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.database.execute(
                """
                insert into watch_change (account, changed_at)
                values (\(account), clock_timestamp() - interval '60 seconds')
                """)
            for (time, changed) in [(Duration.seconds(55), [account]), (.seconds(1), [])] {
                #expect(try await dispatcher.database.query(WatchChange.recent(time), as: UUID.self) == changed)
            }
        }
    }

    @Test("SOS-03: after so long that nothing is known of it everybody is read anew")
    func expired() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts: Set<UUID> = [.random(), .random()]
            for account in accounts {
                try await dispatcher.enrol(account)
                try await dispatcher.keep([try record([70], of: account, ago: .seconds(8))])
            }
            let roster = dispatcher.capabilities.standby.roster
            #expect(roster.unknown(accounts).isEmpty)
            roster.expireAll()
            #expect(Set(roster.unknown(accounts)) == accounts)
            // What is in memory alone stays.
            try await dispatcher.keep(accounts.map { try record([71], of: $0) })
            #expect(
                accounts.allSatisfy { roster.live($0).flatMap { try? Monitor(packed: $0.monitor) }.map(samples) == 2 })
        }
    }

    @Test("SOS-07: who claims parts of another of ingestion's shards keeps what is not saved of the people of this one")
    func otherShard() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = (0..<6).map { _ in UUID.random() }
            for account in accounts { try await dispatcher.enrol(account) }
            let handler = dispatcher.capabilities.liveHandler
            let all = FeedParts(count: 2, numbers: [0, 1])
            try await handler.follow(all, ofShard: 0)
            for account in accounts { try await dispatcher.keep([try record([70], of: account)]) }
            try await handler.follow(all, ofShard: 1)
            try await handler.save(ofShard: 0)
            for account in accounts { #expect(samples(try await stored(account, dispatcher).monitor) == 1) }
        }
    }

    @Test("SOS-02 SOS-07: parts that are given up are forgotten, and nothing of them is written afterwards")
    func givenUp() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = (0..<8).map { _ in UUID.random() }
            for account in accounts { try await dispatcher.enrol(account) }
            let handler = dispatcher.capabilities.liveHandler
            try await handler.follow(FeedParts(count: 2, numbers: [0, 1]), ofShard: 0)
            for account in accounts { try await dispatcher.keep([try record([70], of: account)]) }
            let half = FeedParts(count: 2, numbers: [1])
            try await handler.follow(half, ofShard: 0)
            let roster = dispatcher.capabilities.standby.roster
            #expect(accounts.allSatisfy { (roster.live($0) != nil) == half.contains($0) })
            try await handler.save(ofShard: 0)
            for account in accounts {
                #expect(samples(try await stored(account, dispatcher).monitor) == (half.contains(account) ? 1 : 0))
            }
            // The same parts again, as after a failure: what is in memory stays.
            try await handler.follow(half, ofShard: 0)
            #expect(accounts.allSatisfy { (roster.live($0) != nil) == half.contains($0) })
        }
    }

    @Test("SOS-05: who finds no room in memory is judged in the database")
    func noRoom() {
        let roster = Roster(bytesMax: 2600)
        let entry = Roster.Entry(
            enrolled: .init(version: 1, rules: "age", details: [UInt8](repeating: 1, count: 400)),
            monitor: Monitor().packed, revision: 1)
        let accounts = (0..<5).map { _ in UUID.random() }
        for account in accounts { roster.load(account, entry) }
        #expect(roster.count == 2 && roster.refused == 3 && roster.bytes <= 2600)
        for account in accounts { roster.forget(account) }
        #expect(roster.bytes == 0 && roster.count == 0)
    }
}
