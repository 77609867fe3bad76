import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Testing

@testable import Track4Run

/// What is missing, wrong or unreadable, and must not harm anybody else.
@Suite struct LiveFaultTests {
    let path = Paths.path([(90, 2000)])

    @Test("RUN-09: a spectator who goes gives the place back at once, in a quiet run too")
    func gone() async throws {
        try await Track4RunTest.with { service in
            let (id, _, _) = try await service.begun(path: path)
            let run = try #require(try await service.parts.live.run(id))
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: service.assembled.http, loops: service.loops)
            let connection = try await ByteStream.connect(
                to: Endpoint(host: "127.0.0.1", port: server.port), deadline: .after(.seconds(5)))
            try await connection.write(Array("GET /track4run/v1/runs/\(id)/live HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            var input = ByteBuffer()
            _ = try await connection.read(into: &input, deadline: .after(.seconds(5)))
            #expect(run.spectatorCount == 1)
            connection.close()
            let deadline = Deadline.after(.patience)
            while run.spectatorCount > 0, !deadline.hasPassed {
                try await EventLoop.current?.sleep(for: .milliseconds(5))
            }
            #expect(run.spectatorCount == 0)
            await server.shutdown(grace: .zero)
        }
    }

    @Test("RUN-09 NFR-03: a stopping service ends a spectator's stream in order, at once")
    func stop() async throws {
        try await Track4RunTest.with { service in
            let (id, _, _) = try await service.begun(path: path)
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: service.assembled.http, loops: service.loops)
            let connection = try await ByteStream.connect(
                to: Endpoint(host: "127.0.0.1", port: server.port), deadline: .after(.seconds(5)))
            try await connection.write(Array("GET /track4run/v1/runs/\(id)/live HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            var input = ByteBuffer()
            _ = try await connection.read(into: &input, deadline: .after(.seconds(5)))
            let began = Deadline.now()
            await server.shutdown(grace: .seconds(60))
            #expect(Deadline.now().since(began) < .seconds(10))
            while try await connection.read(into: &input, deadline: .after(.seconds(5))) > 0 {}
            let answer = String(decoding: input.take(input.count), as: UTF8.self)
            #expect(answer.contains("event: snapshot\n") && answer.hasSuffix("\n\n\r\n0\r\n\r\n"))
            let run = try #require(try await service.parts.live.run(id))
            #expect(run.spectatorCount == 0)
        }
    }

    private func distance(_ service: Track4RunTest, _ run: UUID) async throws -> Double {
        try #require(try await service.parts.live.run(run)).placings()[0].distance
    }

    @Test("RUN-09 NFR-04: what comes after a restart counts before any run is in memory")
    func restart() async throws {
        try await Track4RunTest.with { service in
            let (_, accounts, start) = try await service.begun(path: path)
            let again = LiveRuns(
                database: service.database, keys: service.parts.store.keys, rules: RunnerRules(),
                log: service.parts.store.log)
            let handler = LiveSamplesHandler(
                live: again, progresses: service.parts.samples.progresses, clock: service.clock,
                log: service.parts.store.log)
            service.clock.advance(by: .seconds(100))
            try await service.send(
                Samples.running(accounts[0], path, from: start, speed: 3, seconds: 100), to: handler)
            #expect(abs(try #require(again.all.first).placings()[0].distance - 300) < 10)
        }
    }

    @Test("RUN-09 NFR-06: nothing is kept of heart rates that nobody is to see, nor of who takes part in no run")
    func minimal() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create(try service.draft(path, startsIn: .seconds(600))).id
            let (shy, stranger) = (UUID.random(), UUID.random())
            _ = try await service.enrol(shy, in: run)
            try await service.tick()
            try await service.consent(.accepted, shy, run: run, types: [.position])
            let start = service.clock.now() + .seconds(600)
            service.clock.advance(by: .seconds(603))
            try await service.tick()
            try await service.send(
                Samples.running(shy, path, from: start, speed: 3, seconds: 60, heartRate: 150),
                Samples.running(stranger, path, from: start, speed: 3, seconds: 60, heartRate: 150))
            let store = service.parts.samples.progresses
            let stored = try await store.load(run, in: service.database)
            #expect(stored.map(\.runner) == [shy])
            #expect(stored[0].progress.distance > 0 && stored[0].progress.heartRate.count == 0)
        }
    }

    @Test("RUN-09: a fix from the future of its own device freezes nobody")
    func futureFix() {
        let (start, account) = (RunnerProgressTests.start, UUID.random())
        var state = RunState(course: Course(path: path), start: start, end: start + .seconds(3600))
        state.add(.init(account: account, bib: 1, name: "Runner 1", showsHeartRate: true))
        var early = Samples.running(account, path, from: start, speed: 3, seconds: 10)
        early.series[0].offsets[9] = 1_800_000
        _ = state.apply(early)
        #expect(state.progress(of: account)?.heardAt == start + .seconds(10))
        _ = state.apply(Samples.running(account, path, from: start, since: 10, speed: 3, seconds: 60))
        #expect(abs((state.progress(of: account)?.distance ?? 0) - 180) < 10)
        #expect(state.lost(at: start + .seconds(125)) == [account])
    }

    @Test("RUN-09: times that cannot be are left out, and stop nothing")
    func impossibleTimes() throws {
        let (start, account) = (RunnerProgressTests.start, UUID.random())
        var state = RunState(course: Course(path: path), start: start, end: start + .seconds(3600))
        state.add(.init(account: account, bib: 1, name: "Runner 1", showsHeartRate: true))
        for sent in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "\(start)"] {
            for from in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "\(start)"] {
                var wild = Samples.running(account, path, from: start, speed: 3, seconds: 6, heartRate: 150)
                wild.sentAt = try #require(Timestamp(sent))
                for index in wild.series.indices {
                    wild.series[index].start = try #require(Timestamp(from))
                    wild.series[index].offsets = [
                        9_221_576_817_654_775, -9_221_576_817_654_775, 1_000_000_000_000, -300_000_000_000_000, .max,
                        .min,
                    ]
                }
                _ = state.apply(wild)
            }
        }
        _ = state.apply(Samples.running(account, path, from: start, since: 10, speed: 3, seconds: 60))
        #expect(abs((state.progress(of: account)?.distance ?? 0) - 180) < 15)
    }

    // MARK: What cannot be read

    @Test("RUN-09 NFR-03: an event or a run that cannot be read is reported, and stops no other runner")
    func unreadable() async throws {
        try await Track4RunTest.with { service in
            let (broken, lost) = try await service.checkedIn(
                1, path: Paths.path([(0, 3000)], from: Coordinate(latitude: 41.9, longitude: 12.5)!))
            let (run, accounts, start) = try await service.begun(path: path)
            try await service.database.execute(
                "update run set path = 'x', version = version + 1 where id = \(broken)")
            try await service.tick()
            let malformed = FeedRecord(
                lane: 0, position: 1, entity: .random(), version: 1, kind: "samples",
                payload: try JSONRaw(encoding: ["start": "10000-01-01T00:00:00Z"]), recordedAt: service.clock.now())
            let good = try [accounts[0], lost[0]].map { account in
                FeedRecord(
                    lane: 0, position: 2, entity: account, version: 1, kind: "samples",
                    payload: try JSONRaw(
                        encoding: Samples.running(account, path, from: start, speed: 3, seconds: 60)),
                    recordedAt: service.clock.now())
            }
            try await service.commit(try await service.parts.samples.apply([malformed] + good))
            #expect(abs(try await distance(service, run) - 180) < 10)
            #expect(service.log.lines.contains { $0.contains("live samples cannot be read") })
            #expect(service.log.lines.contains { $0.contains("a run cannot be loaded") })
            // Both end, each by itself; what cannot be closed keeps no other from being closed.
            service.clock.advance(by: .seconds(3700))
            try await service.tick()
            let states = try await service.database.query(
                "select state from run where id = \(run)", as: String.self)
            #expect(states == ["final"])
        }
    }

    @Test("RUN-09: a runner whose name or progress cannot be read begins anew, and stops no other")
    func unreadableRunner() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(2, path: path)
            try await service.send(Samples.running(accounts[1], path, from: start, speed: 3, seconds: 60))
            try await service.database.batch([
                "update enrolment set name = 'x' where runner_id = \(accounts[0])",
                "insert into progress (run_id, runner_id, content) values (\(run), \(accounts[0]), 'x')",
            ])
            let again = LiveRuns(
                database: service.database, keys: service.parts.store.keys, rules: RunnerRules(),
                log: service.parts.store.log)
            let placings = try #require(try await again.run(run)).placings()
            #expect(placings.map(\.name) == ["Runner 2 Rossi", "#1"])
        }
    }

    @Test("RUN-07 NFR-03: a message that cannot be read does not keep the others from being handed over")
    func unreadableNotice() async throws {
        try await Track4RunTest.with { service in
            try await service.database.execute(
                """
                insert into notice (id, account_id, template, content, is_urgent, due_at)
                values (\(UUID.random()), \(UUID.random()), 'run-left', 'x', false, '2020-01-01')
                """)
            _ = try await service.create()
            try await service.tick()
            #expect(service.neighbours.notices.map(\.template) == ["run-created"])
        }
    }

    @Test("RUN-08 NFR-06: what was written while somebody withdrew does not stay")
    func tidy() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(2, path: path)
            for account in accounts {
                try await service.send(Samples.running(account, path, from: start, speed: 3, seconds: 60))
            }
            try await service.database.execute("update enrolment set state = 'out' where runner_id = \(accounts[0])")
            try await service.database.execute(ProgressStore.tidy)
            let left = try await service.database.query("select runner_id from progress", as: UUID.self)
            #expect(left == [accounts[1]])
            try await service.database.execute(
                "update run set state = 'cancelled', closed_at = now() where id = \(run)")
            try await service.database.execute(ProgressStore.tidy)
            #expect(try await service.database.query("select runner_id from progress", as: UUID.self).isEmpty)
        }
    }

    @Test("RUN-10: samples that ingestion withholds are missed, of this runner only, and read later")
    func withheld() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, _) = try await service.begun(2, path: path)
            let record = FeedRecord(
                lane: 0, position: 1, entity: accounts[0], version: 1, kind: Ingestion.liveWithheldKind,
                payload: try JSONRaw(encoding: [String: String]()), recordedAt: .now())
            guard case .statements(let statements) = try await service.parts.samples.apply([record]) else {
                Issue.record("no statements")
                return
            }
            try await service.database.batch(statements)
            let missed = try await service.database.query(
                "select runner_id from enrolment where run_id = \(run) and missed_at is not null", as: UUID.self)
            #expect(missed == [accounts[0]])
        }
    }
}
