import Contracts
import Domain
import Feed
import HTTP
import Postgres
import Primitives
import SeededRandom
import Security
import Service
import ServiceTesting
import Testing

@testable import Track4Run

/// When a ranking becomes official, and what counts until then (RUN-11).
@Suite struct OfficialTests {
    let path = Paths.path([(90, 2000)])

    private struct Ranking: Decodable {
        let final: Bool
        let placings: [Placing]
    }

    private func ranking(_ service: Track4RunTest, _ run: UUID) async throws -> Ranking {
        try await service.call(.get, "/runs/\(run)/ranking").decode()
    }

    private func followed(_ time: Timestamp, age: Duration = .zero) -> FeedProgress {
        FeedProgress(appliedUntil: time, age: age)
    }

    @Test(
        "RUN-11: a run is official only when the feed has passed its end and the time for late data, however late it is"
    )
    func feedBehind() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(path: path)
            let end = start + .seconds(3600)
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 300))
            // An outage over the end: hours later the feed is where it was.
            service.clock.advance(by: .seconds(4 * 3600))
            for progress in [.unknown, followed(start + .seconds(300)), followed(end + .seconds(59))] {
                try await service.tick(progress)
                let shown = try await ranking(service, run)
                #expect(!shown.final && shown.placings.map(\.state) == [.running])
            }
            // Then what was measured in the meantime arrives.
            try await service.send(
                Samples.running(accounts[0], path, from: start, since: 300, speed: 3, seconds: 700))
            #expect(try await ranking(service, run).placings.map(\.state) == [.finished])
            try await service.tick(followed(end + .seconds(60)))
            let official = try await ranking(service, run)
            #expect(official.final && official.placings.map(\.state) == [.finished])
            #expect(abs(try #require(official.placings[0].time) - 2000 / 3.0) < 5)
        }
    }

    @Test("RUN-11: after a break of the feed the time for late data begins anew")
    func breaks() throws {
        let (start, late) = (RunnerProgressTests.start, Duration.seconds(60))
        let following = FeedFollowing()
        #expect(following.settled(followed(start), lateData: late) == nil)
        #expect(following.settled(followed(start + .seconds(59)), lateData: late) == nil)
        #expect(following.settled(followed(start + .seconds(60)), lateData: late) == start)
        #expect(following.settled(followed(start + .seconds(70)), lateData: late) == start + .seconds(10))
        // Ingestion is away for an hour, and devices bring what they have kept after it.
        #expect(following.settled(followed(start + .seconds(70), age: .seconds(31)), lateData: late) == nil)
        #expect(following.settled(followed(start + .seconds(3700)), lateData: late) == nil)
        #expect(following.settled(followed(start + .seconds(3759)), lateData: late) == nil)
        #expect(following.settled(followed(start + .seconds(3760)), lateData: late) == start + .seconds(3700))
        #expect(following.settled(.unknown, lateData: late) == nil)
    }

    @Test("RUN-08 RUN-10: the last batch before the end, which arrives after it, holds a finish")
    func lastBatch() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(path: path)
            // Crosses the line eight seconds before the end.
            let begun = start + .seconds(2925)
            try await service.send(Samples.running(accounts[0], path, from: begun, speed: 3, seconds: 640))
            service.clock.advance(by: .seconds(3610))
            try await service.tick()
            let shown = try await ranking(service, run)
            #expect(!shown.final && shown.placings.map(\.state) == [.running])
            try await service.send(Samples.running(accounts[0], path, from: begun, since: 640, speed: 3, seconds: 675))
            service.clock.advance(by: .seconds(60))
            try await service.tick()
            let official = try await ranking(service, run)
            #expect(official.final && official.placings.map(\.state) == [.finished])
        }
    }

    @Test("RUN-08: the watch has the time of the run, and ends with the official ranking")
    func watch() async throws {
        try await Track4RunTest.with { service in
            let (_, accounts, start) = try await service.begun(path: path)
            let end = start + .seconds(3600)
            let watch = Ingestion.Watch(
                accountID: accounts[0], isWatched: true, measuredFrom: start, measuredTo: end,
                until: end + .seconds(86_400), types: [.position, .heartRate])
            #expect(try await service.watches() == [watch])
            service.clock.advance(by: .seconds(3601))
            try await service.tick()
            #expect(try await service.watches() == [watch])
            service.clock.advance(by: .seconds(60))
            try await service.tick()
            #expect(try await service.watches().isEmpty)
        }
    }

    @Test("RUN-01 NFR-06: only what is shown of a runner is asked of ingestion, and what is shared later counts")
    func types() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts) = try await service.checkedIn(2, path: path)
            func types(of account: UUID) async throws -> [DataType]? {
                try await service.watches().first { $0.accountID == account }?.types
            }
            try await service.consent(.accepted, accounts[1], run: run, version: 3, types: [.position])
            #expect(try await types(of: accounts[0]) == [.position, .heartRate])
            #expect(try await types(of: accounts[1]) == [.position])
            let events = try await service.database.queryOne(
                "select count(*) from feed_event where feed = 'track4run.watch'", as: Int.self)
            #expect(events == 3)
            // The same again changes nothing.
            try await service.consent(.accepted, accounts[1], run: run, version: 4, types: [.position])
            try await service.consent(.accepted, accounts[1], run: run, version: 5)
            #expect(try await types(of: accounts[1]) == [.position, .heartRate])
            let later = try await service.database.queryOne(
                "select count(*) from feed_event where feed = 'track4run.watch'", as: Int.self)
            #expect(later == 4)
            // Of a person's own run no heart rate is shown.
            try await service.database.execute("update run set organiser_kind = 'individual', company_name = null")
            #expect(try await types(of: accounts[0]) == [.position])
        }
    }

    // MARK: Missed and disordered samples

    @Test("RUN-10: what the feed has lost is read from ingestion before a run becomes official")
    func feedGone() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(2, path: path)
            for account in accounts {
                try await service.send(Samples.running(account, path, from: start, speed: 3, seconds: 200))
                // Lost with the feed.
                service.neighbours.store(
                    Samples.running(account, path, from: start, since: 200, speed: 3, seconds: 600))
            }
            try await service.commit(try await service.parts.samples.endSnapshot())
            for account in accounts {
                try await service.send(Samples.running(account, path, from: start, since: 600, speed: 3, seconds: 700))
            }
            service.neighbours.setIngestionDown(true)
            service.clock.advance(by: .seconds(3700))
            try await service.tick()
            #expect(try await !ranking(service, run).final)
            service.neighbours.setIngestionDown(false)
            try await service.tick()
            try await service.tick()
            #expect(try await ranking(service, run).placings.map(\.state) == [.finished, .finished])
        }
    }

    @Test("RUN-10: what comes out of order while a runner's samples are read is read as well")
    func outOfOrderWhileReading() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(path: path)
            let account = accounts[0]
            for (from, to) in [(0.0, 100.0), (300, 400), (100, 200)] {
                try await service.send(
                    Samples.running(account, path, from: start, since: from, speed: 3, seconds: to))
            }
            func isMissed() async throws -> Bool? {
                try await service.database.queryOne("select missed_at is not null from enrolment", as: Bool.self)
            }
            #expect(try await isMissed() == true)
            service.neighbours.afterReading {
                try await service.send(
                    Samples.running(account, path, from: start, since: 200, speed: 3, seconds: 300))
            }
            try await service.parts.missed.recover()
            #expect(try await isMissed() == true)
            // Another process, which pauses after no earlier reading.
            let again = MissedSamples(
                store: service.parts.store, live: service.parts.live, progresses: service.parts.samples.progresses,
                ingestion: service.neighbours.ingestion())
            try await again.recover()
            #expect(try await isMissed() == false)
            #expect(abs(try await ranking(service, run).placings[0].distance - 1200) < 10)
        }
    }

    @Test(
        "RUN-10: batches that come in any order lead to the result of those in order", arguments: [1, 2, 3] as [UInt64])
    func anyOrder(seed: UInt64) async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(2, path: path)
            var generator = SeededGenerator(seed: seed)
            let batches = (0..<24).map { ($0 * 30, $0 * 30 + 30) }
            for (account, order) in zip(accounts, [batches, batches.shuffled(using: &generator)]) {
                for (from, to) in order {
                    try await service.send(
                        Samples.running(
                            account, path, from: start, since: Double(from), speed: 3, seconds: Double(to),
                            heartRate: 150))
                }
            }
            service.clock.advance(by: .seconds(3700))
            try await service.tick()
            try await service.tick()
            let official = try await ranking(service, run)
            #expect(official.final && official.placings.map(\.state) == [.finished, .finished])
            #expect(official.placings.map(\.time) == [official.placings[0].time, official.placings[0].time])
            #expect(official.placings.map(\.heartRate) == [150, 150])
            #expect(service.neighbours.reads > 0)
        }
    }

    // MARK: Runs that fail

    /// Copies of a run that cannot be read, each sooner than the run.
    private func addBroken(_ count: Int, of run: UUID, started: Bool, _ service: Track4RunTest) async throws {
        try await service.database.execute(
            """
            insert into run (id, code, organiser_id, organiser_kind, company_name, name, description, place, clauses, path,
              checkpoints, length_m, start_latitude, start_longitude, south, west, north, east, starts_at, ends_at,
              enrolment_deadline, participants_max, created_at, started_at)
            select gen_random_uuid(), 'ZZZ' || chr(65 + i / 26) || chr(65 + i % 26) || 'Z', organiser_id, organiser_kind,
              company_name, name, description, place, clauses, path, checkpoints, length_m, 1000, start_longitude,
              south, west, north, east,
              starts_at - interval '10 minutes', ends_at - interval '10 minutes',
              enrolment_deadline - interval '10 minutes', participants_max, created_at,
              case when \(started) then starts_at end
            from run, generate_series(0, \(Int32(count - 1))) as i where id = \(run)
            """)
    }

    @Test("RUN-11 NFR-03: any number of runs that cannot be closed keeps no other open; operators are told")
    func stuckClosings() async throws {
        try await Track4RunTest.with { service in
            let (run, _, _) = try await service.begun(path: path)
            try await addBroken(100, of: run, started: true, service)
            service.clock.advance(by: .seconds(3700))
            var ticks = 0
            while try await !ranking(service, run).final, ticks < 10 {
                try await service.tick()
                ticks += 1
            }
            #expect(try await ranking(service, run).final)
            #expect(service.parts.ranking.retries.count > 0)
            #expect(service.log.lines.contains { $0.contains("a run cannot be closed") })
        }
    }

    @Test("RUN-08 NFR-03: any number of runs that cannot be started holds up no other")
    func stuckStarts() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(path, startsIn: .seconds(900))).id
            try await addBroken(200, of: run, started: false, service)
            service.clock.advance(by: .seconds(903))
            var hasStarted = false
            for _ in 0..<10 where !hasStarted {
                try await service.parts.starting.startDue(at: service.clock.now())
                hasStarted =
                    try await service.database.queryOne(
                        "select started_at is not null from run where id = \(run)", as: Bool.self) ?? false
            }
            #expect(hasStarted)
            #expect(service.parts.starting.retries.count > 0)
        }
    }

    // MARK: Leaving and evidence

    @Test("RUN-07: who leaves under way did not finish, and is watched until then; who has finished stays a finisher")
    func leaves() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(3, path: path)
            try await service.send(
                Samples.running(accounts[0], path, from: start, speed: 4, seconds: 600),
                Samples.running(accounts[1], path, from: start, speed: 2, seconds: 590))
            service.clock.advance(by: .seconds(597))
            try await service.tick()
            for account in accounts.prefix(2) {
                let left = try await service.call(.delete, "/runs/\(run)/enrolments", as: account)
                #expect(left.status == .noContent)
            }
            let watch = try await service.watches().first { $0.accountID == accounts[1] }
            #expect(watch?.measuredTo == start + .seconds(600))
            try await service.send(Samples.running(accounts[1], path, from: start, since: 590, speed: 2, seconds: 900))
            let again = try await service.call(.delete, "/runs/\(run)/enrolments", as: accounts[1])
            #expect(again.code == "not-enrolled")
            service.clock.advance(by: .seconds(3100))
            try await service.tick()
            let official = try await ranking(service, run)
            #expect(official.final && official.placings.map(\.bib) == [1, 3, 2])
            #expect(official.placings.map(\.state) == [.finished, .didNotStart, .didNotFinish])
            #expect(abs(official.placings[2].distance - 1200) < 10)
            let told = service.neighbours.notices.filter { $0.template == "run-finished" }
            #expect(Set(told.map(\.accountID)) == Set(accounts))
        }
    }

    @Test("REQ-10 RUN-07: who withdraws the consent after leaving is in no ranking")
    func withdrawsAfterLeaving() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(2, path: path)
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 3))
            _ = try await service.call(.delete, "/runs/\(run)/enrolments", as: accounts[0])
            try await service.consent(.withdrawn, accounts[0], run: run, version: 3)
            try await service.tick()
            #expect(try await ranking(service, run).placings.map(\.bib) == [2])
            #expect(try await service.watched() == [accounts[1]])
            #expect(try await service.database.query("select runner_id from progress", as: UUID.self).isEmpty)
        }
    }

    @Test(
        "RUN-10 RUN-12: runner and organiser, and nobody else, see what a result is known by, before and after it is official"
    )
    func evidence() async throws {
        struct Explanation: Decodable {
            let bib: Int
            let final: Bool
            let evidence: Evidence
        }
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(2, path: path)
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 4, seconds: 600))
            let address = "/runs/\(run)/participants/1/evidence"
            let before: Explanation = try await service.call(.get, address, as: accounts[0]).decode()
            #expect(!before.final && before.evidence.isFinish && before.evidence.coverage == 1)
            service.clock.advance(by: .seconds(3700))
            try await service.tick()
            let after: Explanation = try await service.call(.get, address, as: service.organiser, .thirdParty).decode()
            #expect(after.final && after.evidence == before.evidence && after.bib == 1)
            #expect(after.evidence.start?.isSeen == true && after.evidence.arrival?.isSeen == true)
            #expect(try await service.call(.get, address, as: accounts[1]).status == .forbidden)
            #expect(try await service.call(.get, address).status == .unauthorized)
            #expect(
                try await service.call(.get, "/runs/\(run)/participants/9/evidence", as: accounts[1]).status
                    == .notFound)
        }
    }
}
