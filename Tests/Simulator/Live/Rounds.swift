import HTTP
import Primitives
import Reactor
import SuiteClient

/// Everybody's uploads, one of each person every 30 s, spread evenly over that time.
struct Rounds {
    static let interval: Duration = .seconds(30)
    /// Watches measure 15 s and 45 s after each full minute: whoever comes first in a round sends what was just measured.
    static let offset: Duration = .seconds(16)
    /// Turns are less than two intervals ahead: what is beyond this is the work of a clock that was set.
    private static let setBackMax = interval * 10
    /// Uploads under way at most.
    private static let lanes = 4

    let suite: Suite
    let people: [LivePerson]

    /// Ends with an error only: when nobody is left, the clock was set back, or the program's end has begun.
    func run() async throws {
        let outage = Outage("Uploads to ingestion")
        let tasks = (0..<Self.lanes).map { lane in
            suite.loops.next().throwingTask { try await run(lane, outage) }
        }
        for task in tasks { try await task.value }
        throw SuiteError.unexpected("None of the simulated people can send anything any more.")
    }

    private func run(_ lane: Int, _ outage: Outage) async throws(SuiteError) {
        var places = Array(stride(from: lane, to: people.count, by: Self.lanes))
        // What people whose log-ins are shown missed is made good at once.
        for place in places where people[place].index < DemoPeople.peopleCount {
            try await send(people[place], outage)
        }
        var round = Self.begin(after: nil, at: .now())
        while !places.isEmpty {
            for place in places {
                let due = round + Self.delay(of: place, among: people.count)
                try await pause(for: try Self.wait(until: due, at: .now()))
                try await send(people[place], outage)
            }
            places.removeAll { people[$0].isGone }
            round = Self.begin(after: round, at: .now())
        }
    }

    private func send(_ person: LivePerson, _ outage: Outage) async throws(SuiteError) {
        do throws(SuiteError) {
            try await person.send(to: suite)
            outage.succeeded()
        } catch {
            switch error {
            case .refused where error.isFinal:
                Output.event("Nothing is sent any more for \(person.name): \(error)")
                person.leave()
            case .refused, .unreachable, .unexpected, .local: try await pause(for: outage.failed(error))
            }
        }
    }

    /// When the next round begins. Rounds follow the clock: one that took too long is not made up for.
    static func begin(after round: Timestamp?, at now: Timestamp) -> Timestamp {
        let current = (now - offset).floored(to: interval) + offset
        let next = current + interval
        guard let round else { return next }
        return round < current ? current : next
    }

    /// How long to wait for somebody's turn. Errors: `local` when the clock was set back: until it is again as late as it was,
    /// nobody would send or run. `deploy/run` starts the program anew, which goes by the clock as it is.
    static func wait(until due: Timestamp, at now: Timestamp) throws(SuiteError) -> Duration {
        let wait = due - now
        guard wait <= setBackMax else { throw .local("The clock was set back, so the simulated people begin anew.") }
        return max(.zero, wait)
    }

    /// When in a round it is somebody's turn.
    static func delay(of place: Int, among count: Int) -> Duration {
        .milliseconds(interval.milliseconds * Int64(place) / Int64(count))
    }
}

extension Timestamp {
    /// The last full interval, counted from 1970; not for times before that.
    func floored(to interval: Duration) -> Timestamp {
        let length = interval.milliseconds
        return Timestamp(milliseconds: milliseconds / length * length)
    }
}

extension SuiteError {
    /// The account or the device is gone.
    fileprivate var isFinal: Bool {
        if case .refused(_, let status, _, _) = self { [401, 403, 404, 410].contains(status.rawValue) } else { false }
    }
}
