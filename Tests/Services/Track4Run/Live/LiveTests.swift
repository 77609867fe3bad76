import Contracts
import Feed
import JSON
import OpenAPITesting
import Postgres
import Primitives
import Reactor
import ServiceTesting
import Testing

@testable import HTTP
@testable import Track4Run

@Suite struct LiveTests {
    struct Event: Sendable {
        let name: String
        let id: String
        let data: [UInt8]

        func decode<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(Value.self, from: data)
        }
    }

    struct Snapshot: Decodable {
        let state: String
        let runners: [Placing]
        let positions: [Marker]
    }
    struct Positions: Decodable {
        let positions: [Marker]
        let removed: [Int]
    }
    struct Ranking: Decodable {
        let final: Bool
        let placings: [Placing]
    }

    static func events(_ bytes: [UInt8]) -> [Event] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").map { block in
            var fields: [Substring: Substring] = [:]
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                fields[parts[0]] = parts[1].dropFirst()
            }
            return Event(
                name: String(fields["event"] ?? ""), id: String(fields["id"] ?? ""),
                data: Array((fields["data"] ?? "").utf8))
        }
    }

    /// A spectator at the run as it is now.
    final class Spectator {
        let stream: SpectatorStream

        init(_ run: LiveRun, after lastEventID: String? = nil, at now: Timestamp) throws {
            stream = SpectatorStream(lastEventID: lastEventID)
            _ = try run.join(stream, spectatorsMax: 100, at: now)
        }

        /// What has come since the last time.
        func received() throws -> [Event] {
            let bytes = (stream.take() ?? []).flatMap(\.bytes)
            let document = try APIDocument.of(Track4RunService.openAPI)
            #expect(try document.faults(ofEvents: bytes, of: "GET /track4run/v1/runs/{run}/live") == [])
            return LiveTests.events(bytes)
        }
    }

    let path = Paths.path([(90, 2000)])

    /// A run that began some seconds ago.
    func begun(_ service: Track4RunTest, runners: Int) async throws -> (LiveRun, [UUID], Timestamp) {
        let (run, accounts, start) = try await service.begun(runners, path: path)
        return (try #require(try await service.parts.live.run(run)), accounts, start)
    }

    @Test("RUN-01cd: a private organiser sees positions and placings of the runners, and nothing of their health")
    func privateOrganiser() async throws {
        struct Ranking: Decodable { let placings: [Placing] }
        try await Track4RunTest.with { service in
            let (organiser, runner) = (UUID.random(), UUID.random())
            let draft = try service.draft(path, startsIn: .seconds(600))
            let created = try await service.call(.post, "/runs", as: organiser, body: draft)
            let run = try created.decode(Track4RunTest.Created.self).id
            _ = try await service.enrol(runner, in: run)
            try await service.tick()
            try await service.consent(.accepted, runner, run: run)
            let start = service.clock.now() + .seconds(600)
            service.clock.advance(by: .seconds(660))
            try await service.tick()
            try await service.send(
                Samples.running(runner, path, from: start, speed: 3, seconds: 60, heartRate: 150))
            let ranking: Ranking = try await service.call(.get, "/runs/\(run)/ranking", as: organiser).decode()
            #expect(ranking.placings.count == 1 && abs(ranking.placings[0].distance - 180) < 20)
            #expect(ranking.placings[0].heartRate == nil)
        }
    }

    @Test(
        "RUN-09a: spectators get a snapshot, then who moves and the ranking; equal for all, each message encoded once")
    func follow() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 3)
            let spectators = [
                try Spectator(run, at: service.clock.now()), try Spectator(run, at: service.clock.now()),
            ]
            for spectator in spectators {
                let snapshot = try #require(try spectator.received().first)
                #expect(snapshot.name == "snapshot")
                let content = try snapshot.decode(Snapshot.self)
                #expect(content.state == "under-way" && content.positions.isEmpty && content.runners.count == 3)
            }
            service.clock.advance(by: .seconds(57))
            try await service.send(
                Samples.running(accounts[0], path, from: start, speed: 3, seconds: 60),
                Samples.running(accounts[1], path, from: start, speed: 4, seconds: 60, heartRate: 150))
            #expect(try run.broadcast(at: service.clock.now()) == 2)
            let received = try spectators[0].received()
            #expect(received.map(\.name) == ["positions", "ranking"])
            #expect(try spectators[1].received().map(\.data) == received.map(\.data))
            let positions = try received[0].decode(Positions.self).positions
            #expect(positions.map(\.bib) == [2, 1] && positions.map(\.place) == [1, 2])
            #expect(abs(positions[0].distance - 240) < 10 && positions[0].heartRate == 150)
            #expect(
                try received[1].decode(Ranking.self).placings.map(\.name) == [
                    "Runner 2 Rossi", "Runner 1 Rossi", "Runner 3 Rossi",
                ])
            #expect(try run.broadcast(at: service.clock.now()) == 0)
            // The same order again: positions alone.
            try await service.send(Samples.running(accounts[1], path, from: start, since: 60, speed: 4, seconds: 70))
            try run.broadcast(at: service.clock.now())
            #expect(try spectators[0].received().map(\.name) == ["positions"])
        }
    }

    @Test("RUN-09: Last-Event-ID brings what was missed, or a new snapshot when that is too old or of another life")
    func resume() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 1)
            let first = try Spectator(run, at: service.clock.now())
            let seen = try #require(try first.received().last).id
            for step in 1...3 {
                try await service.send(
                    Samples.running(
                        accounts[0], path, from: start, since: Double(step - 1) * 10, speed: 3,
                        seconds: Double(step) * 10))
                try run.broadcast(at: service.clock.now())
            }
            let live = try first.received()
            let back = try Spectator(run, after: seen, at: service.clock.now()).received()
            #expect(back.map(\.id) == live.map(\.id) && back.map(\.data) == live.map(\.data))
            #expect(try Spectator(run, after: live.last?.id, at: service.clock.now()).received().isEmpty)
            for other in ["nonsense", "abc.1", "\(seen.split(separator: ".")[0]).999"] {
                let received = try Spectator(run, after: other, at: service.clock.now()).received()
                #expect(received.map(\.name) == ["snapshot"])
            }
        }
    }

    @Test("RUN-09d: nothing is shown before the start or after the end, and nobody else's samples are")
    func privacy() async throws {
        try await Track4RunTest.with { service in
            let (id, accounts) = try await service.checkedIn(1, path: path)
            let start = service.clock.now() + .seconds(600)
            try await service.tick()
            let run = try #require(try await service.parts.live.run(id))
            let before = try Spectator(run, at: service.clock.now())
            let snapshot = try #require(try before.received().first).decode(Snapshot.self)
            #expect(snapshot.state == "upcoming" && snapshot.runners.isEmpty && snapshot.positions.isEmpty)
            try await service.send(
                Samples.running(accounts[0], path, from: start - .seconds(60), speed: 3, seconds: 60))
            #expect(try run.broadcast(at: service.clock.now()) == 0)
            service.clock.advance(by: .seconds(660))
            try await service.tick()
            try await service.send(Samples.running(.random(), path, from: start, speed: 3, seconds: 60))
            #expect(try run.broadcast(at: service.clock.now()) == 0)
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 60))
            let watching = try Spectator(run, at: service.clock.now())
            _ = try watching.received()
            service.clock.advance(by: .seconds(3541))
            try await service.send(
                Samples.running(accounts[0], path, from: start, since: 60, speed: 3, seconds: 3700))
            try run.broadcast(at: service.clock.now())
            #expect(try watching.received().map(\.name) == ["ranking"])
            let after = try #require(try Spectator(run, at: service.clock.now()).received().first)
            #expect(try after.decode(Snapshot.self).positions.isEmpty)
        }
    }

    @Test("RUN-08 RUN-09d: who withdraws disappears from the screens, and is not in what others get later")
    func withdrawn() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 2)
            let spectator = try Spectator(run, at: service.clock.now())
            let seen = try #require(try spectator.received().last).id
            for account in accounts {
                try await service.send(Samples.running(account, path, from: start, speed: 3, seconds: 3))
            }
            try run.broadcast(at: service.clock.now())
            _ = try spectator.received()
            try await service.consent(.withdrawn, accounts[0], run: run.id, version: 3)
            try run.broadcast(at: service.clock.now())
            #expect(try #require(try spectator.received().first).decode(Positions.self).removed == [1])
            let later = try Spectator(run, after: seen, at: service.clock.now()).received()
            #expect(later.map(\.name) == ["snapshot"])
            #expect(try later[0].decode(Snapshot.self).runners.map(\.bib) == [2])
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 30))
            #expect(try run.broadcast(at: service.clock.now()) == 0)
            let stored = try await service.database.query("select runner_id from progress", as: UUID.self)
            #expect(stored == [accounts[1]])
        }
    }

    @Test("RUN-09e: a runner whose signal is lost stays, marked")
    func lost() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 1)
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 10))
            try run.broadcast(at: service.clock.now())
            let spectator = try Spectator(run, at: service.clock.now())
            _ = try spectator.received()
            service.clock.advance(by: .seconds(70))
            try run.broadcast(at: service.clock.now())
            let marked = try #require(try spectator.received().first).decode(Positions.self).positions
            #expect(marked.map(\.isSignalLost) == [true])
            #expect(try run.broadcast(at: service.clock.now()) == 0)
        }
    }

    @Test("RUN-09 NFR-04: a restart goes on where the feed's cursor stands")
    func restart() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 2)
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 100))
            let again = LiveRuns(
                database: service.database, keys: service.parts.store.keys, rules: RunnerRules(),
                log: service.parts.store.log)
            service.clock.advance(by: .seconds(200))
            try await again.refresh(at: service.clock.now())
            #expect(again.all.map(\.id) == [run.id])
            #expect(again.all[0].placings() == run.placings())
            let handler = LiveSamplesHandler(
                live: again, progresses: service.parts.samples.progresses, clock: service.clock,
                log: service.parts.store.log)
            let more = Samples.running(accounts[0], path, from: start, since: 100, speed: 3, seconds: 150)
            try await service.send(more, to: handler)
            #expect(abs(again.all[0].placings()[0].distance - 450) < 10)
            // The other replica, which does not follow the feed, shows the same.
            try await service.parts.live.load(run.id)
            #expect(again.all[0].placings() == run.placings())
        }
    }

    @Test(
        "RUN-09 NFR-02: replicas show each other's runners, and who takes a runner over goes on from what was stored last"
    )
    func takenOver() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 2)
            let other = LiveRuns(
                database: service.database, keys: service.parts.store.keys, rules: RunnerRules(),
                log: service.parts.store.log)
            let handler = LiveSamplesHandler(
                live: other, progresses: service.parts.samples.progresses, clock: service.clock,
                log: service.parts.store.log)
            try await service.parts.samples.follow(.all, ofShard: 0)
            try await handler.follow(FeedParts(count: 16, numbers: []), ofShard: 0)
            try await other.refresh(at: service.clock.now())
            service.clock.advance(by: .seconds(250))
            try await service.send(
                Samples.running(accounts[0], path, from: start, speed: 3, seconds: 100),
                Samples.running(accounts[1], path, from: start, speed: 2, seconds: 100))
            try await other.refresh(at: service.clock.now())
            #expect(other.all[0].placings() == run.placings())
            try await service.send(Samples.running(accounts[0], path, from: start, since: 100, speed: 3, seconds: 150))
            // Nobody has looked since.
            #expect(other.all[0].placings() != run.placings())
            try await handler.follow(FeedParts(count: 16, numbers: 0..<16), ofShard: 0)
            #expect(other.all[0].placings() == run.placings())
            let more = Samples.running(accounts[0], path, from: start, since: 150, speed: 3, seconds: 200)
            try await service.send(more, to: handler)
            #expect(abs(other.all[0].placings()[0].distance - 600) < 10)
            // The first one has lost it, and sees what the other does.
            try await service.parts.samples.follow(FeedParts(count: 16, numbers: []), ofShard: 0)
            try await service.parts.live.refresh(at: service.clock.now())
            #expect(other.all[0].placings() == run.placings())
        }
    }

    @Test("RUN-11ab: at the end everyone watching gets the final ranking, which stays; the runners are told")
    func end() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 3)
            let spectator = try Spectator(run, at: service.clock.now())
            try await service.send(
                Samples.running(accounts[0], path, from: start, speed: 4, seconds: 600, heartRate: 160),
                Samples.running(accounts[1], path, from: start, speed: 3, seconds: 300))
            service.clock.advance(by: .seconds(3660))
            try await service.tick()
            try run.broadcast(at: service.clock.now())
            let last = try #require(try spectator.received().last)
            #expect(last.name == "finished" && spectator.stream.isEnded)
            let ranking = try last.decode(Ranking.self)
            #expect(ranking.final && ranking.placings.map(\.bib) == [1, 2, 3])
            #expect(ranking.placings.map(\.state) == [.finished, .didNotFinish, .didNotStart])
            #expect(ranking.placings[0].heartRate == 160)
            let shown = try await service.call(.get, "/runs/\(run.id)/ranking").decode(Ranking.self)
            #expect(shown.final && shown.placings == ranking.placings)
            let told = service.neighbours.notices.filter { $0.template == "run-finished" }
            #expect(Set(told.map(\.accountID)) == Set(accounts))
            #expect(told.contains { $0.values["result"]?.hasPrefix("1. – 0:08:2") == true })
            #expect(try await service.watched().isEmpty)
            #expect(try await service.database.query("select runner_id from progress", as: UUID.self).isEmpty)
        }
    }

    @Test(
        "RUN-11d: a run that everybody has finished is over, and who comes later gets its ranking over the same address"
    )
    func allFinished() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 2)
            for account in accounts {
                try await service.send(Samples.running(account, path, from: start, speed: 4, seconds: 600))
            }
            service.clock.advance(by: .seconds(600))
            try await service.tick()
            let answer = try await service.call(.get, "/runs/\(run.id)/live")
            let events = LiveTests.events(answer.bytes)
            #expect(events.map(\.name) == ["snapshot", "finished"])
            #expect(try events[0].decode(Snapshot.self).state == "past")
            #expect(try events[1].decode(Ranking.self).placings.map(\.state) == [.finished, .finished])
        }
    }

    @Test("RUN-09 NFR-01: a snapshot is one piece of memory for all, however large, and reaches who asks for it")
    func sharedSnapshot() async throws {
        try await Track4RunTest.with { service in
            var state = RunState(
                course: Course(path: path), start: service.clock.now(), end: service.clock.now() + .seconds(3600))
            for bib in 1...500 {
                state.add(.init(account: .random(), bib: bib, name: "Runner \(bib) Rossi", showsHeartRate: true))
            }
            let run = LiveRun(
                .init(id: .random(), version: 1, state: .open, start: state.start, end: state.end), state)
            let streams = [SpectatorStream(lastEventID: nil), SpectatorStream(lastEventID: nil)]
            for stream in streams { _ = try run.join(stream, spectatorsMax: 10, at: service.clock.now()) }
            let first = try #require(streams[0].take()?.first)
            let second = try #require(streams[1].take()?.first)
            #expect(first.bytes.count > 2 * 16 * 1024)
            let isShared = first.bytes.withUnsafeBufferPointer { one in
                second.bytes.withUnsafeBufferPointer { $0.baseAddress == one.baseAddress }
            }
            #expect(isShared)
            let reader = SpectatorStream(lastEventID: nil)
            _ = try run.join(reader, spectatorsMax: 10, at: service.clock.now())
            reader.end()
            let response = HTTPResponse.stream(.eventStream) { try await reader.drain(into: $0) }
            #expect(try await response.collectedBody() == first.bytes)
        }
    }

    @Test("RUN-09: spectators are limited, and one who does not keep up is cut off alone")
    func limits() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await begun(service, runners: 1)
            let slow = SpectatorStream(lastEventID: nil)
            _ = try run.join(slow, spectatorsMax: 2, at: service.clock.now())
            let good = try Spectator(run, at: service.clock.now())
            #expect(throws: IOError.limit("spectators of one run")) {
                try run.join(
                    SpectatorStream(lastEventID: nil), spectatorsMax: 2, at: service.clock.now())
            }
            _ = try good.received()
            let message = try LiveMessage("positions", [0], epoch: "x", sequence: 1)
            for _ in 1..<SpectatorStream.waitingMax { slow.send(message) }
            #expect(!slow.isEnded)
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 10))
            try run.broadcast(at: service.clock.now())
            #expect(slow.isEnded && slow.take() == nil)
            #expect(try !good.stream.isEnded && good.received().map(\.name) == ["positions", "ranking"])
        }
    }
}
