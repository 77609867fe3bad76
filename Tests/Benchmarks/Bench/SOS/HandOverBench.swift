import Glibc
import LoadGenerator
import Primitives
import ProcessTesting
import Reactor

/// From when an upload that confirms an emergency was due to the ambulance service's alert, over 10,000 emergencies, 5 a second (25
/// a second take a quarter of two cores, which the uploads then lack), beside uploads at 75% of their maximum: of people who are not
/// watched (`sos.handover`), and of 10,000 people who are watched and send each second (`sos.watched`). `TRACKME_BENCH_INCIDENTS` sets
/// another number of emergencies, for trying it out.
enum HandOverBench {
    private static let incidentsDefault = 10_000
    private static let rate = 5.0
    /// Those who have emergencies, one after the other.
    private static let patients = 2000
    private static let watched = 10_000
    /// Emergencies that are sent at a time: ten seconds.
    private static let each = 50
    /// Of so many emergencies one has to count.
    private static let emergenciesEach = 3

    static func run(_ report: inout Report) async throws {
        let outcome = try await measure(watched: 0)
        tell(outcome, &report)
        let latencies = outcome.beside.result.latencies
        report.add("confirming upload due to alert, p50", latencies.value(at: 0.5), "ms", atMost: 25)
        report.add("the same, p99.9", latencies.value(at: 0.999), "ms", atMost: 100)
    }

    static func runWatched(_ report: inout Report) async throws {
        let outcome = try await measure(watched: watched)
        tell(outcome, &report)
        report.add(
            "watched people who send each second beside it", outcome.beside.rate, "", atLeast: Double(watched))
        report.add(
            "confirming upload due to alert, p99.9", outcome.beside.result.latencies.value(at: 0.999), "ms",
            atMost: 150)
    }

    private struct Beside: Sendable {
        let sent: SOSBed.Sent
        let handOvers: HandOvers
        let latencies: HandOvers.Latencies
        let times: String
    }

    private struct Outcome: Sendable {
        let quiet: HandOvers.Latencies
        let beside: UploadsBeside.Outcome<Beside>
    }

    private static func measure(watched: Int) async throws -> Outcome {
        let wanted = getenv("TRACKME_BENCH_INCIDENTS").flatMap { Int(String(cString: $0)) } ?? incidentsDefault
        guard wanted >= each else { throw BenchError.failed("TRACKME_BENCH_INCIDENTS must be \(each) or more") }
        let first = SOSBed.quietPeople
        return try await SOSBed.with(people: first + patients + watched) { bed in
            let quiet = try await bed.quiet()
            let senders: UploadsBeside.Senders =
                watched > 0 ? .watched(first + patients..<first + patients + watched) : .strangers
            let beside = try await UploadsBeside.with(bed, senders) { beside in
                let before = try ServiceTimes(bed.services)
                let sent = try await bed.send(
                    of: first..<first + patients, at: SOSBed.Places.apart, rate: rate, each: each
                ) { emergencies in
                    try beside.check()
                    let countable = beside.countable(emergencies)
                    guard countable < wanted else { return true }
                    guard emergencies.count < wanted * emergenciesEach else {
                        throw BenchError.failed(
                            "the host disturbed \(emergencies.count - countable) of \(emergencies.count) emergencies")
                    }
                    return false
                }
                let handOvers = try await bed.handOvers(of: sent)
                return Beside(
                    sent: sent, handOvers: handOvers, latencies: handOvers.latencies(where: beside.counting),
                    times: try ServiceTimes(bed.services).since(before))
            }
            return Outcome(quiet: quiet, beside: beside)
        }
    }

    private static func tell(_ outcome: Outcome, _ report: inout Report) {
        let result = outcome.beside.result
        report.note("nothing beside: \(outcome.quiet.text)")
        outcome.beside.note(report)
        report.note("beside that: \(result.latencies.text), undisturbed by the host, of \(result.handOvers.count)")
        report.note("their uploads: \(result.sent.text)")
        report.note(result.times)
        result.handOvers.check(&report)
        outcome.beside.check(&report)
    }
}
