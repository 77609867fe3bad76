import Contracts
import Domain
import JSON
import Primitives
import Reactor
import SuiteClient

/// Step 6: an organiser's run along a real track, three runners, a spectator without an account (RUN-02, RUN-06, RUN-08 to RUN-11).
struct Race {
    private static let length = 220.0
    /// How long each runner takes, in proportion as the recording did.
    private static let times: [Duration] = [.seconds(38), .seconds(43), .seconds(48)]
    private static let untilStart: Duration = .seconds(12)
    private static let uploadInterval: Duration = .seconds(1)
    /// After the last runner's arrival.
    private static let untilEnd: Duration = .seconds(10)
    private static let checkInMax: Duration = .seconds(8)
    /// From the run's end to its official ranking: `late_data_s`, 60 s if not configured, and 20 s for the rest.
    private static let rankingMax: Duration = .seconds(60 + 20)
    /// Tracks tried when others have a run along the same one today.
    private static let tracksTriedMax = 12
    /// Metres that receivers are wrong by.
    private static let noise = 2.0

    let cast: Cast
    let files: Recordings

    private struct Runner: Sendable {
        let individual: Individual
        let device: Device
        let bib: Int
        let points: [RecordedPoint]
    }

    private struct Announced {
        let id: UUID
        let section: Recording
        let start: Timestamp
    }

    func run(_ newcomers: inout Newcomers) async throws(SuiteError) {
        let step = Step(6, "A run")
        let organiser = try await cast.company(
            newcomers.company("Podistica Brianza", password: MainJob.password), as: .organiser)
        let people = try await registerRunners(&newcomers)
        let announced = try await announce(organiser, &newcomers, step)
        let spectator = try cast.api.live(announced.id)
        _ = try await spectator.first(within: .seconds(5), "The spectator's snapshot") { $0.name == "snapshot" }
        let runners = try await enrol(people, announced, step)
        try await checkIn(runners, announced, step)
        try await race(runners)
        let final = try await finish(spectator, announced, runners, step)
        try await follow(spectator, until: final, runners, step)
    }

    private func registerRunners(_ newcomers: inout Newcomers) async throws(SuiteError) -> [(Individual, Device)] {
        var people: [(Individual, Device)] = []
        for _ in Self.times {
            let individual = try await cast.individual(newcomers.person(birthYears: 1985...2003))
            people.append((individual, try await individual.pairDevice(name: "Watch", types: [.position, .heartRate])))
        }
        return people
    }

    /// A section of a track that nobody else runs along today.
    private func announce(
        _ organiser: Company, _ newcomers: inout Newcomers, _ step: Step
    ) async throws(SuiteError) -> Announced {
        var refusal: SuiteError?
        for _ in 0..<Self.tracksTriedMax {
            let track = files.tracks[newcomers.index(below: files.tracks.count)]
            guard
                let section = try? track.steadySection(
                    length: Self.length, from: Double(newcomers.index(below: 1000)) / 1000)
            else { continue }
            let start = (Timestamp.now() + Self.untilStart).wholeMilliseconds
            let last = Self.times.reduce(.zero) { max($0, $1) }
            let form = RunForm(
                name: "Corsa \(newcomers.tag)", description: "A short run", place: "Along the track",
                path: .init(section.line), start: start, end: start + last + Self.untilEnd, enrolmentDeadline: start,
                participantsMax: 10, clauses: "Run at your own risk.")
            do throws(SuiteError) {
                let run = try await organiser.api.createRun(form)
                step.say("\(organiser.name) announced run \(run.code): \(Int(section.line.length)) m, start in 12 s")
                return Announced(id: run.id, section: section, start: start)
            } catch {
                guard error.code == "shared-path" || error.code == "same-place-and-time" else { throw error }
                refusal = error
            }
        }
        throw refusal ?? .unexpected("No recording has a steady section of \(Int(Self.length)) m.")
    }

    private func enrol(
        _ people: [(Individual, Device)], _ run: Announced, _ step: Step
    ) async throws(SuiteError) -> [Runner] {
        var runners: [Runner] = []
        for (index, (individual, device)) in people.enumerated() {
            let bib = try await individual.api.enrol(in: run.id)
            let points = run.section.replayed(at: run.start + .milliseconds(500), in: Self.times[index])
            runners.append(Runner(individual: individual, device: device, bib: bib, points: points))
        }
        step.say("three runners enrolled with the bibs \(runners.map { "\($0.bib)" }.joined(separator: ", "))")
        return runners
    }

    /// RUN-08: accepting the organiser's request is checking in.
    private func checkIn(_ runners: [Runner], _ run: Announced, _ step: Step) async throws(SuiteError) {
        let watch = Stopwatch()
        for runner in runners {
            let request = try await eventually(
                "The check-in of \(runner.individual.name) did not come", within: Self.checkInMax
            ) {
                () throws(SuiteError) in
                try await runner.individual.api.receivedRequests()
                    .first { $0.kind == "check-in" && $0.runID == run.id && $0.state == "pending" }
            }
            try await runner.individual.api.decide("acceptance", on: request.id)
        }
        try expect(Timestamp.now() < run.start, "The check-in took until after the start: \(watch.elapsed.brief).")
        step.say("checked in by accepting the organiser's request, after \(watch.elapsed.brief)")
    }

    /// The positions of all runners, in real time.
    private func race(_ runners: [Runner]) async throws(SuiteError) {
        guard let loop = EventLoop.current else { preconditionFailure("a race outside an event loop") }
        let tasks = runners.enumerated().map { index, runner in
            loop.throwingTask { try await Self.replay(runner, seed: UInt64(index)) }
        }
        var failure: SuiteError?
        for task in tasks {
            do { try await task.value } catch { failure = failure ?? .unexpected("A runner's device failed: \(error)") }
        }
        if let failure { throw failure }
    }

    private static func replay(_ runner: Runner, seed: UInt64) async throws(SuiteError) {
        guard let first = runner.points.first, let last = runner.points.last else { return }
        var generator = SeededGenerator(seed: seed)
        try await pause(for: max(.zero, first.time - .now()))
        var next = Deadline.now()
        while true {
            let now = Timestamp.now().wholeMilliseconds
            let place = Recording.position(at: now, in: runner.points)
                .moved(metres: generator.fraction() * noise, bearing: generator.value(in: 0...360))
            let rate = 150 + (8 * generator.deviation()).rounded()
            try await runner.device.upload([.position(place, at: now, accuracy: 5), .heartRate(rate, at: now)])
            guard now < last.time + .seconds(1) else { return }
            next = next.advanced(by: uploadInterval)
            try await pause(until: next)
        }
    }

    /// RUN-10, RUN-11: the final ranking, for the spectator and for anyone who asks.
    private func finish(
        _ spectator: EventStream, _ run: Announced, _ runners: [Runner], _ step: Step
    ) async throws(SuiteError) -> Int {
        let (event, next) = try await spectator.first(within: Self.untilEnd + Self.rankingMax, "The final ranking") {
            $0.name == "finished"
        }
        let ranking: Ranking
        do throws(JSONError) {
            ranking = try JSONDecoder().decode(Ranking.self, from: Array(event.data.utf8))
        } catch { throw .unexpected("The final ranking is not as described: \(error)") }
        try check(ranking, runners)
        let stored = try await cast.api.ranking(of: run.id)
        try expect(stored.isFinal, "The ranking that anyone can ask for is not final.")
        try check(stored, runners)
        for placing in ranking.placings {
            let seconds = placing.time.map { " in \(($0 * 10).rounded() / 10) s" } ?? ""
            step.say("\(placing.place ?? 0). \(placing.name) (\(placing.bib))\(seconds), \(placing.state)")
        }
        return next
    }

    private func check(_ ranking: Ranking, _ runners: [Runner]) throws(SuiteError) {
        try expect(ranking.isFinal, "The spectator's ranking is not final.")
        try expect(
            ranking.placings.map(\.bib) == runners.map(\.bib) && ranking.placings.map(\.place) == [1, 2, 3],
            "The placings are \(ranking.placings.map { "\($0.place ?? 0): \($0.bib)" }), though the bibs "
                + "\(runners.map(\.bib)) arrived in this order.")
        try expect(ranking.placings.allSatisfy { $0.state == "finished" }, "Not everybody has finished.")
        for (placing, time) in zip(ranking.placings, Self.times) {
            let seconds = try unwrap(placing.time, "\(placing.name) has no time.")
            let expected = Double(time.milliseconds) / 1000
            try expect(
                abs(seconds - expected) < 6,
                "\(placing.name) took \(seconds) s by the ranking, and \(expected) s in truth.")
        }
    }

    /// RUN-09: all runners were to be seen on their way.
    private func follow(
        _ spectator: EventStream, until end: Int, _ runners: [Runner], _ step: Step
    ) async throws(SuiteError) {
        struct Positions: Decodable {
            struct Marker: Decodable { var bib: Int }
            var positions: [Marker]
        }
        var seen: [Int: Int] = [:]
        let events = spectator.events.prefix(end).filter { $0.name == "positions" }
        for event in events {
            let positions: Positions
            do throws(JSONError) {
                positions = try JSONDecoder().decode(Positions.self, from: Array(event.data.utf8))
            } catch { throw .unexpected("Positions are not as described: \(error)") }
            for marker in positions.positions { seen[marker.bib, default: 0] += 1 }
        }
        for runner in runners {
            try expect(
                seen[runner.bib, default: 0] >= 10,
                "The spectator saw bib \(runner.bib) at \(seen[runner.bib, default: 0]) places only.")
        }
        step.say("a spectator without an account saw \(events.count) updates of their positions, and the ranking")
        spectator.stop()
    }
}
