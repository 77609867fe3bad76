import Contracts
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Telemetry
import Synchronization
import Testing

@testable import Dispatcher

/// Emergencies that this service reads of late: after it was away, or when the feed no longer had them.
@Suite struct BacklogTests {
    private func backlog(_ dispatcher: TestDispatcher, age: Duration?) -> BacklogWatch {
        BacklogWatch(people: dispatcher.capabilities.people, gaps: GapStore(database: dispatcher.database)) {
            FeedProgress(appliedUntil: .now(), age: age)
        }
    }

    @Test("SOS-05: after two hours without this service nobody is called; contacts and operator hear of it")
    func hours() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account, held: .seconds(7200))
            _ = try await backlog(dispatcher, age: .zero).look()
            #expect(try await dispatcher.incidents(of: account).isEmpty)
            #expect(dispatcher.log.lines.contains { $0.contains("too old to be handed over") })
            let isTold = try await dispatcher.wait {
                dispatcher.accounts.notices.contains { $0.template == "incident-late" }
            }
            #expect(isTold)
        }
    }

    @Test("SOS-05: after three minutes who is critical at the end of what was missed is handed over, marked as delayed")
    func minutes() async throws {
        try await TestDispatcher.with { dispatcher in
            let (low, well) = (UUID.random(), UUID.random())
            for account in [low, well] {
                try await dispatcher.enrol(account)
                try await dispatcher.send(critical, of: account, held: .seconds(180))
            }
            // The feed is still being read: what came after it may change everything.
            #expect(try await backlog(dispatcher, age: .seconds(60)).look() == 0)
            #expect(try await backlog(dispatcher, age: nil).look() == 0)
            try await dispatcher.send([70, 71, 70], of: well, held: .seconds(170))
            #expect(try await backlog(dispatcher, age: .seconds(1)).look() == 2)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            #expect(try call.json["incident"]?["is_delayed"] == .bool(true))
            #expect(try await dispatcher.incidents(of: low).count == 1)
            #expect(try await dispatcher.incidents(of: well).isEmpty)
            #expect(try await backlog(dispatcher, age: .seconds(1)).look() == 0)
        }
    }

    @Test(
        "SOS-05: what came after it is waited for 30 s at most, also when the database's clock is set back meanwhile",
        arguments: ["- interval '31 seconds'", "+ interval '1 hour'"])
    func waitsNoLonger(_ step: String) async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account, held: .seconds(60))
            #expect(try await backlog(dispatcher, age: nil).look() == 0)
            try await dispatcher.database.execute("update monitor set judge_by = judge_by \(raw: step)")
            #expect(try await backlog(dispatcher, age: nil).look() == 1)
            #expect(try await dispatcher.incidents(of: account).count == 1)
        }
    }

    // MARK: Gaps

    /// Ingestion's storage.
    private final class Storage: Sendable {
        let uploads = Mutex<[UUID: [Ingestion.ReadGap.Upload]]>([:])
        let failure = Mutex<RPCError?>(nil)
        /// Who cannot be read.
        let withheld = Mutex<Set<UUID>>([])

        func caller() -> LocalCaller {
            var router = RPCRouter()
            router.register(Ingestion.ReadGap.self, allow: ["dispatcher"]) { [self] params, _ in
                if let error = failure.withLock({ $0 }) { throw error }
                if withheld.withLock({ $0.contains(params.accountID) }) { throw RPCError(.internal) }
                return .init(
                    uploads: uploads.withLock { $0[params.accountID] ?? [] }, next: .init(after: 1), hasMore: false)
            }
            return LocalCaller(router: router, as: "dispatcher")
        }
    }

    @Test("SOS-05: what the feed no longer has is read from ingestion's storage, and judged with its age")
    func gap() async throws {
        try await TestDispatcher.with { dispatcher in
            let (now, minutes) = (UUID.random(), UUID.random())
            for account in [now, minutes] { try await dispatcher.enrol(account) }
            let storage = Storage()
            storage.uploads.withLock {
                $0[now] = [.init(samples: TestDispatcher.live(critical, of: now), ageMilliseconds: 2000)]
                $0[minutes] = [.init(samples: TestDispatcher.live(critical, of: minutes), ageMilliseconds: 120_000)]
            }
            let gaps = GapStore(database: dispatcher.database)
            let reader = GapReader(people: dispatcher.capabilities.people, gaps: gaps, ingestion: storage.caller()) {
                FeedProgress(appliedUntil: .now(), age: .zero)
            }
            #expect(try await reader.look() == 0)
            // The feed is taken up again.
            guard case .statements(let statements) = try await dispatcher.capabilities.liveHandler.endSnapshot() else {
                Issue.record("no statements")
                return
            }
            try await dispatcher.database.batch(statements)
            storage.failure.withLock { $0 = RPCError(.unavailable) }
            #expect(try await reader.look() == 0)
            #expect(try await gaps.isOpen())
            storage.failure.withLock { $0 = nil }
            // The pause ends; or the database's clock is set back by an hour, as here.
            try await dispatcher.database.execute(
                "update feed_gap set claimed_until = claimed_until + interval '1 hour'")
            #expect(try await reader.look() == 2)
            #expect(try await dispatcher.incidents(of: now).count == 1)
            #expect(try await dispatcher.incidents(of: minutes).isEmpty)
            #expect(try await backlog(dispatcher, age: .zero).look() == 1)
            #expect(try await dispatcher.incidents(of: minutes).count == 1)
            #expect(try await reader.look() == 0)
            #expect(dispatcher.log.lines.contains { $0.contains("a piece of the live feed was missed") })
        }
    }

    @Test("SOS-05 SOS-07a: after a promotion nothing is read by what another replica knew of the feed before it")
    func promotedElsewhere() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let storage = Storage()
            storage.uploads.withLock {
                $0[account] = [.init(samples: TestDispatcher.live(critical, of: account), ageMilliseconds: 2000)]
            }
            let gaps = GapStore(database: dispatcher.database)
            let known = Mutex(Duration.seconds(90))
            let reader = GapReader(people: dispatcher.capabilities.people, gaps: gaps, ingestion: storage.caller()) {
                let age = known.withLock { $0 }
                return FeedProgress(appliedUntil: .now() - age, age: age)
            }
            try await dispatcher.database.execute(gaps.openAll())
            // Up to then: what came in the outage would be left out, and the gap be closed.
            #expect(try await reader.look() == 0)
            #expect(try await gaps.isOpen())
            known.withLock { $0 = .zero }
            #expect(try await reader.look() == 1)
            #expect(try await dispatcher.incidents(of: account).count == 1)
            #expect(try await !gaps.isOpen())
            // The clock was set back after the gap was opened.
            known.withLock { $0 = .seconds(90) }
            try await dispatcher.database.batch([
                gaps.openAll(), "update feed_gap set opened_at = clock_timestamp() + interval '1 hour'",
            ])
            #expect(try await reader.look() == 1)
        }
    }

    @Test("SOS-05: a gap that cannot be read in five minutes is said so, and holds up nothing")
    func gapTooOld() async throws {
        try await TestDispatcher.with { dispatcher in
            try await dispatcher.enrol(.random())
            let gaps = GapStore(database: dispatcher.database)
            let reader = GapReader(
                people: dispatcher.capabilities.people, gaps: gaps, ingestion: Storage().caller()
            ) { FeedProgress(appliedUntil: .now(), age: .zero) }
            try await dispatcher.database.batch([
                gaps.openAll(), "update feed_gap set opened_at = opened_at - interval '5 minutes'",
            ])
            #expect(try await reader.look() == 0)
            #expect(dispatcher.log.lines.contains { $0.contains("emergencies in them may be unseen") })
            #expect(try await !gaps.isOpen())
        }
    }

    private func reader(_ dispatcher: TestDispatcher, _ storage: Storage) -> GapReader {
        GapReader(
            people: dispatcher.capabilities.people, gaps: GapStore(database: dispatcher.database),
            ingestion: storage.caller()
        ) { FeedProgress(appliedUntil: .now(), age: .zero) }
    }

    private func endPauses(_ dispatcher: TestDispatcher) async throws {
        try await dispatcher.database.execute("update feed_gap set claimed_until = '-infinity'")
    }

    @Test("SOS-05: somebody whose samples are withheld is read as soon as that can be; nobody else's alarm waits")
    func withheld() async throws {
        try await TestDispatcher.with { dispatcher in
            let (hidden, late, seen) = (UUID.random(), UUID.random(), UUID.random())
            for account in [hidden, late, seen] { try await dispatcher.enrol(account) }
            let storage = Storage()
            storage.uploads.withLock {
                $0[hidden] = [.init(samples: TestDispatcher.live(critical, of: hidden), ageMilliseconds: 2000)]
            }
            storage.withheld.withLock { $0 = [hidden] }
            let nothing = FeedRecord(
                lane: 0, position: 1, entity: hidden, version: 1, kind: Ingestion.liveWithheldKind,
                payload: try JSONRaw(encoding: [String: String]()), recordedAt: Timestamp.now() - .seconds(1),
                age: .seconds(1))
            let stranger = FeedRecord(
                lane: 0, position: 2, entity: .random(), version: 1, kind: nothing.kind, payload: nothing.payload,
                recordedAt: .now(), age: .zero)
            try await dispatcher.apply([
                nothing, stranger, nothing,
                try TestDispatcher.record(TestDispatcher.live(critical, of: seen), of: seen),
                try TestDispatcher.record(TestDispatcher.live(critical, of: late), of: late, held: .seconds(60)),
            ])
            #expect(try await dispatcher.incidents(of: seen).count == 1)
            let gaps = try await dispatcher.database.query("select account from feed_gap", as: UUID.self)
            #expect(gaps == [hidden])
            let reader = reader(dispatcher, storage)
            #expect(try await reader.look() == 0)
            // The gap of one person does not keep others from being judged.
            #expect(try await backlog(dispatcher, age: .zero).look() == 1)
            #expect(try await dispatcher.incidents(of: late).count == 1)
            storage.withheld.withLock { $0 = [] }
            try await endPauses(dispatcher)
            #expect(try await reader.look() == 1)
            #expect(try await dispatcher.incidents(of: hidden).count == 1)
            #expect(try await !reader.gaps.isOpen())
        }
    }

    @Test("SOS-05: while one person cannot be read, the others of a gap are, and that person's backlog waits")
    func oneCannotBeRead() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = (0..<12).map { _ in UUID.random() }
            for account in accounts { try await dispatcher.enrol(account) }
            let storage = Storage()
            storage.withheld.withLock { $0 = [accounts[3]] }
            let reader = reader(dispatcher, storage)
            try await dispatcher.database.execute(reader.gaps.openAll())
            #expect(try await reader.look() == 11)
            try await dispatcher.send(critical, of: accounts[3], held: .seconds(60))
            #expect(try await backlog(dispatcher, age: .zero).look() == 0)
            try await dispatcher.database.execute("update feed_gap set opened_at = opened_at - interval '5 minutes'")
            #expect(try await reader.look() == 0)
            #expect(dispatcher.log.lines.contains { $0.contains("emergencies in them may be unseen") })
            #expect(try await backlog(dispatcher, age: .zero).look() == 1)
        }
    }

    @Test("SOS-05: a person is read by one replica at a time, and what is opened again meanwhile is read again")
    func claims() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = [UUID.random(), .random()]
            for account in accounts { try await dispatcher.enrol(account) }
            let gaps = GapStore(database: dispatcher.database)
            try await dispatcher.database.execute(gaps.openAll())
            let first = try await gaps.claim(8, recordedBefore: .now())
            #expect(Set(first.map(\.account)) == Set(accounts))
            #expect(try await gaps.claim(8, recordedBefore: .now()).isEmpty)
            // The claim ends, and another replica has them: the first one closes nothing any more.
            try await endPauses(dispatcher)
            let second = try await gaps.claim(8, recordedBefore: .now())
            for gap in first { try await gaps.close(gap) }
            #expect(second.count == 2)
            #expect(try await gaps.isOpen())
            try await gaps.close(second[0])
            try await dispatcher.database.execute(gaps.openAll())
            try await gaps.close(second[1])
            #expect(try await gaps.claim(8, recordedBefore: .now()).count == 2)
            // One event that ingestion recorded later than the feed was read up to.
            try await dispatcher.database.execute(
                "update feed_gap set claimed_until = '-infinity', recorded_at = now()")
            #expect(try await gaps.claim(8, recordedBefore: Timestamp.now() - .seconds(60)).isEmpty)
        }
    }

    // MARK: Runs

    private func watch(_ account: UUID, _ entity: UUID, version: Int64, isWatched: Bool = true) throws -> FeedRecord {
        let now = Timestamp.now()
        return FeedRecord(
            lane: 0, position: version, entity: entity, version: version, kind: "watch",
            payload: try JSONRaw(
                encoding: Ingestion.Watch(
                    accountID: account, isWatched: isWatched, measuredFrom: isWatched ? now - .seconds(600) : nil,
                    measuredTo: isWatched ? now + .seconds(3600) : nil)), recordedAt: now)
    }

    private func apply(_ effect: FeedEffect, _ dispatcher: TestDispatcher) async throws {
        if case .statements(let statements) = effect { try await dispatcher.database.batch(statements) }
    }

    @Test(
        "SOS-03: a runner whose watch tells no activity has the limits of exercise, until the run is cancelled or left")
    func runner() async throws {
        try await TestDispatcher.with { dispatcher in
            let runs = RunWatch(roster: dispatcher.capabilities.standby.roster)
            let (runner, quitter) = (UUID.random(), UUID.random())
            for account in [runner, quitter] {
                try await dispatcher.enrol(account)
                try await apply(runs.apply([try watch(account, account, version: 2)]), dispatcher)
            }
            // An older event changes nothing.
            try await apply(runs.apply([try watch(runner, runner, version: 1, isWatched: false)]), dispatcher)
            try await apply(runs.apply([try watch(quitter, quitter, version: 3, isWatched: false)]), dispatcher)
            // The heart takes two minutes to slow down, and the samples begin some seconds ago.
            try await dispatcher.database.execute(
                "update run_watch set ends_at = ends_at - interval '150 seconds' where ends_at < clock_timestamp()")
            // 76 years old: 131 is the limit at rest, 154 in a run.
            for account in [runner, quitter] { try await dispatcher.send([131, 132, 135, 140, 150], of: account) }
            #expect(try await dispatcher.incidents(of: runner).isEmpty)
            #expect(try await dispatcher.incidents(of: quitter).count == 1)
            // What was measured in the run stays exercise.
            let left = try await dispatcher.database.queryOne(
                "select ends_at > begins_at from run_watch where account = \(quitter)", as: Bool.self)
            #expect(left == true)
        }
    }

    @Test("SOS-03: a snapshot of who runs replaces what was there")
    func runsSnapshot() async throws {
        try await TestDispatcher.with { dispatcher in
            let (account, entity, gone) = (UUID.random(), UUID.random(), UUID.random())
            let runs = RunWatch(roster: dispatcher.capabilities.standby.roster)
            try await apply(
                runs.apply([try watch(account, entity, version: 9), try watch(account, gone, version: 9)]), dispatcher)
            try await apply(runs.beginSnapshot(), dispatcher)
            let record = try watch(account, entity, version: 1)
            try await apply(
                runs.apply(snapshot: [
                    FeedEntity(entity: entity, version: 1, kind: "watch", payload: record.payload)
                ]), dispatcher)
            try await apply(runs.endSnapshot(), dispatcher)
            let left = try await dispatcher.database.query(
                "select entity, version from run_watch", as: UUID.self, Int64.self)
            #expect(left.map(\.0) == [entity] && left.map(\.1) == [1])
        }
    }
}
