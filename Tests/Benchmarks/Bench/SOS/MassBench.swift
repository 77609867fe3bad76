import LoadGenerator
import Primitives
import ProcessTesting
import Reactor

/// 200 people in one place have an emergency at once: the time until an ambulance service was told of the last of them, with nothing
/// beside and beside uploads at 75% of their maximum. The slowest of five rounds counts.
enum MassBench {
    private static let (together, groups) = (200, 10)
    private static let rounds = 5
    /// Of so many rounds one has to count.
    private static let roundsEach = 4
    private static let stolenMax = 0.05
    /// All within a millisecond.
    private static let rate = 200_000.0
    private static let milliseconds = 2000.0
    private static let pause = Duration.seconds(2)

    static func run(_ report: inout Report) async throws {
        let (quiet, alone, beside) = try await SOSBed.with(
            people: SOSBed.quietPeople + groups * together
        ) { bed in
            let quiet = try await bed.quiet()
            var turns = Turns()
            let alone = try await measure(bed, &turns)
            let rest = turns
            let beside = try await UploadsBeside.with(bed, .strangers) { beside in
                var turns = rest
                return try await measure(bed, &turns) { try beside.check() }
            }
            return (quiet, alone, beside)
        }
        report.note("one after the other, nothing beside: \(quiet.text)")
        beside.note(report)
        for (words, rounds) in [("nothing beside", alone), ("beside uploads at 75 %", beside.result)] {
            for round in rounds { report.note("\(words): \(round.latencies().text)") }
            report.add(
                "emergencies at once that no ambulance service was told of, \(words)",
                Double(rounds.reduce(0) { $0 + $1.lost }), "", atMost: 0)
            report.add(
                "\(together) emergencies at once, until the last alert, \(words)",
                rounds.map { $0.latencies().longest }.max() ?? .infinity, "ms", atMost: milliseconds)
        }
        beside.check(&report)
    }

    /// Whose turn it is: groups one after the other, each again only when it was well for a time.
    private struct Turns: Sendable {
        private var number = 0
        private var last: [Int: Deadline] = [:]

        mutating func next() async throws -> Range<Int> {
            let group = number % groups
            number += 1
            if let before = last[group] {
                try await EventLoop.current?.sleep(until: before.advanced(by: SOSBed.apartMin))
            }
            last[group] = .after(.seconds(1))
            let first = SOSBed.quietPeople + group * together
            return first..<first + together
        }
    }

    /// Those rounds that the machine's host did not disturb.
    private static func measure(
        _ bed: SOSBed, _ turns: inout Turns, _ check: () throws -> Void = {}
    ) async throws -> [HandOvers] {
        var counted: [HandOvers] = []
        var passed = 0
        while counted.count < rounds {
            try check()
            guard passed < rounds * roundsEach else {
                throw BenchError.failed("the host disturbed \(passed - counted.count) of \(passed) rounds")
            }
            let range = try await turns.next()
            let (stolen, began) = (ProcessorTime.stolenSeconds(), Deadline.now())
            let sent = try await bed.send(
                of: range, at: SOSBed.Places.together, rate: rate, each: together, connections: together)
            let handOvers = try await bed.handOvers(of: sent)
            let share = (ProcessorTime.stolenSeconds() - stolen) / (2 * seconds(since: began))
            passed += 1
            // What was lost is not excused.
            if share <= stolenMax || handOvers.lost > 0 { counted.append(handOvers) }
            try await EventLoop.current?.sleep(for: pause)
        }
        return counted
    }
}
