import Contracts
import Domain
import Primitives
import Reactor
import SuiteClient

/// One run, from its announcement to the last arrival.
struct LiveRace: Sendable {
    /// Between looks for the requests to check in.
    private static let lookInterval: Duration = .seconds(2)
    private static let uploadInterval: Duration = .seconds(2)
    /// Other people's runs may be along a course.
    private static let courseCodes: Set<String?> = ["shared-path", "same-place-and-time"]

    private struct Runner: Sendable {
        let person: LivePerson
        var hasCheckedIn = false
    }

    private struct Announced: Sendable {
        let id: UUID
        let name: String
        let line: Polyline
    }

    let start: Timestamp
    private let number: Int
    private let end: Timestamp
    private let suite: Suite
    private var asked: ArraySlice<LivePerson>
    private var announced: Announced?
    private var runners: [Runner] = []

    init(_ number: Int, from start: Timestamp, to end: Timestamp, among people: [LivePerson], suite: Suite) {
        self.number = number
        self.start = start
        self.end = end
        self.suite = suite
        asked = RaceField.asked(for: number, among: people.map { ($0.index, $0.person) }).map { people[$0] }[...]
    }

    var isAnnounced: Bool { announced != nil }

    /// Announces the run, enrols runners, and accepts the check-in in their names. After an error it goes on where it was.
    mutating func prepare(_ courses: [RaceCourse], by organiser: API) async throws(SuiteError) {
        if announced == nil { announced = try await announce(courses, by: organiser) }
        try await enrol()
        while runners.contains(where: { !$0.hasCheckedIn }), Timestamp.now() < start {
            try await checkIn()
            try await pause(for: Self.lookInterval)
        }
    }

    private func announce(_ courses: [RaceCourse], by organiser: API) async throws(SuiteError) -> Announced {
        for turn in courses.indices {
            let course = courses[(number + turn) % courses.count]
            let form = course.form(from: start, to: end)
            do throws(SuiteError) {
                let run = try await organiser.createRun(form)
                Output.event("Announced: \(form.name) (\(run.code)), \(form.place).")
                return Announced(id: run.id, name: form.name, line: course.line)
            } catch {
                guard Self.courseCodes.contains(error.code) else { throw error }
            }
        }
        throw .unexpected("There is a run along every course already.")
    }

    private mutating func enrol() async throws(SuiteError) {
        guard let announced else { return }
        while runners.count < RaceField.size, let person = asked.first {
            var isEnrolled = !person.isGone
            do throws(SuiteError) {
                if isEnrolled { _ = try await person.api(suite).enrol(in: announced.id) }
            } catch {
                guard case .refused = error, !error.isOutage else { throw error }
                // The answer of an earlier try was lost, or this runner has another run at that time.
                isEnrolled = error.code == "already-enrolled"
            }
            if isEnrolled { runners.append(Runner(person: person)) }
            asked = asked.dropFirst()
        }
    }

    /// RUN-08: accepting the organiser's request is checking in.
    private mutating func checkIn() async throws(SuiteError) {
        guard let announced else { return }
        for index in runners.indices where !runners[index].hasCheckedIn {
            let api = try runners[index].person.api(suite)
            let request = try await api.receivedRequests()
                .first { $0.kind == "check-in" && $0.runID == announced.id }
            guard let request else { continue }
            if request.state == "pending" { try await api.decide("acceptance", on: request.id) }
            runners[index].hasCheckedIn = true
        }
    }

    /// Runs it, in real time; returns when all have arrived, or stopped.
    func run(_ outage: Outage) async {
        guard let announced, let loop = EventLoop.current else { return }
        let field = runners.filter(\.hasCheckedIn).map(\.person)
        let tasks = field.enumerated().map { place, person in
            loop.throwingTask { try await run(person, place, of: field.count, along: announced.line, outage) }
        }
        do throws(SuiteError) {
            try await pause(for: max(.zero, start - .now()))
            Output.event("Under way: \(announced.name), with \(field.count) runners.")
            for task in tasks { _ = await task.result }
            Output.event("Arrived: the runners of \(announced.name).")
        } catch {
            // The program ends.
            for task in tasks { task.cancel() }
        }
    }

    private func run(
        _ person: LivePerson, _ place: Int, of count: Int, along line: Polyline, _ outage: Outage
    ) async throws(SuiteError) {
        var generator = SeededGenerator(seed: ~Population.seed &+ UInt64(number), stream: person.index)
        let plan = RunnerPlan(
            person.person, length: line.length, fate: RaceField.fate(of: place, among: count), using: &generator)
        var track = RunnerTrack(plan, along: line, from: start, using: generator)
        // One after the other within the interval.
        let shift = Self.uploadInterval * place / count
        try await pause(for: max(.zero, start + .milliseconds(Int64(RunnerPlan.begin * 1000)) + shift - .now()))
        guard person.beginRace() else { return }
        defer { person.endRace() }
        while true {
            let now = Timestamp.now()
            let seconds = Double((now - start).milliseconds) / 1000
            track.measure(before: now)
            if plan.isHeard(at: seconds), try await send(track.unsent, of: person, outage) {
                track.sent()
                guard seconds < plan.ends else { return }
            }
            guard now < end else { return }
            try await pause(for: Self.uploadInterval)
        }
    }

    /// Whether all is stored; if not, it is sent with what comes next.
    private func send(
        _ measured: (rates: [SampleSeries], positions: [SampleSeries]), of person: LivePerson, _ outage: Outage
    ) async throws(SuiteError) -> Bool {
        do throws(SuiteError) {
            try await person.send(watch: measured.rates, phone: measured.positions, to: suite)
            outage.succeeded()
            return true
        } catch {
            try await pause(for: outage.failed(error))
            return false
        }
    }
}
