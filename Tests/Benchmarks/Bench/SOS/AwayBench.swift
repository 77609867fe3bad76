import Contracts
import HTTP
import LoadGenerator
import Postgres
import Primitives
import ProcessTesting
import Reactor

/// The same while PostgreSQL is away, that is stopped in all that it does, so that it neither answers nor refuses: 1,000 emergencies of
/// as many people within 50 s. `sos.journal`: the dispatcher's PostgreSQL, beside uploads at 75% of their maximum; emergencies rest in
/// the local journal. `sos.away`: that of all services, so that nothing can be uploaded; ingestion passes on what it
/// cannot store. Afterwards the database has each emergency.
enum AwayBench {
    private static let patients = 1000
    private static let rate = 20.0
    private static let milliseconds = 1200.0
    private static let rosterMax = Duration.seconds(120)
    private static let settledMax = Duration.seconds(120)
    /// An upload holds its connection until it is refused.
    private static let connectionsMax = 800

    private struct Away: Sendable {
        let sent: SOSBed.Sent
        let handOvers: HandOvers
        let latencies: HandOvers.Latencies
        /// Emergencies that the database has not afterwards, and entries that are left in the journal.
        var missing = 0
        var entries = 0.0
    }

    static func runJournal(_ report: inout Report) async throws {
        let (quiet, beside) = try await SOSBed.with(
            people: SOSBed.quietPeople + patients, apart: [.dispatcher], journal)
        report.note("nothing beside, PostgreSQL there: \(quiet.text)")
        beside.note(report)
        tell(beside.result, "the dispatcher's PostgreSQL away", &report)
        beside.check(&report)
    }

    private static func journal(
        _ bed: SOSBed
    ) async throws -> (HandOvers.Latencies, UploadsBeside.Outcome<Away>) {
        let quiet = try await prepare(bed)
        let beside = try await UploadsBeside.with(bed, .strangers) { beside in
            try await measure(bed, mayFail: false, beside)
        }
        return (quiet, beside)
    }

    static func runAway(_ report: inout Report) async throws {
        let (quiet, away) = try await SOSBed.with(
            people: SOSBed.quietPeople + patients, apart: [.accounts, .ingestion, .dispatcher]
        ) { bed in
            let quiet = try await prepare(bed)
            return (quiet, try await measure(bed, mayFail: true))
        }
        report.note("PostgreSQL there: \(quiet.text)")
        tell(away, "PostgreSQL of all services away", &report)
    }

    private static func tell(_ away: Away, _ words: String, _ report: inout Report) {
        report.note("\(words): \(away.latencies.text), of \(away.handOvers.count)")
        report.note("their uploads: \(away.sent.text)")
        away.handOvers.check(&report)
        report.add(
            "emergencies that the database has not afterwards", Double(away.missing), "of \(away.handOvers.count)",
            atMost: 0)
        report.add("entries left in the journal", away.entries, "", atMost: 0)
        report.add(
            "confirming upload due to alert, \(words), p99", away.latencies.value(at: 0.99), "ms",
            atMost: milliseconds)
    }

    private static func prepare(_ bed: SOSBed) async throws -> HandOvers.Latencies {
        let quiet = try await bed.quiet()
        try await bed.wait("the dispatcher has all people in memory", within: rosterMax) {
            try await bed.metric(#"trackme_roster_people{state="kept"}"#) >= Double(bed.people.count)
        }
        // Incidents of before are over.
        try await bed.wait("all incidents are closed", within: settledMax) {
            try await bed.dispatcher.queryOne(
                "select count(*) from incident where state <> 'closed'", as: Int.self) == 0
        }
        return quiet
    }

    private static func measure(
        _ bed: SOSBed, mayFail: Bool, _ beside: UploadsBeside? = nil
    ) async throws -> Away {
        guard let cluster = bed.services.apart else { throw BenchError.failed("PostgreSQL is not apart") }
        let before = try await bed.incidents()
        cluster.freeze(true)
        let outcome: Result<(SOSBed.Sent, HandOvers), any Error>
        do {
            let sent = try await bed.send(
                of: SOSBed.quietPeople..<SOSBed.quietPeople + patients, at: SOSBed.Places.apart, rate: rate,
                each: patients, connections: mayFail ? connectionsMax : 64, mayFail: mayFail)
            outcome = .success((sent, try await bed.handOvers(of: sent)))
        } catch { outcome = .failure(error) }
        cluster.freeze(false)
        let (sent, handOvers) = try outcome.get()
        if let countable = beside?.countable(sent.emergencies), countable < patients / 2 {
            throw BenchError.failed("the host disturbed \(patients - countable) of \(patients) emergencies")
        }
        var away = Away(
            sent: sent, handOvers: handOvers,
            latencies: handOvers.latencies(where: beside?.counting ?? { _ in true }), missing: handOvers.count)
        let deadline = Deadline.after(settledMax)
        while away.missing != 0 || away.entries != 0, !deadline.hasPassed {
            try await EventLoop.current?.sleep(for: .milliseconds(500))
            do throws(PostgresError) { away.missing = handOvers.count - (try await bed.incidents() - before) } catch {
                // Its connections may have been given up meanwhile.
                guard !deadline.hasPassed else { throw error }
            }
            away.entries = try await bed.metric("trackme_journal_entries")
        }
        return away
    }
}

extension SOSBed {
    /// How many there are and were.
    fileprivate func incidents() async throws(PostgresError) -> Int {
        try await dispatcher.queryOne("select count(*) from incident where not is_exercise", as: Int.self) ?? 0
    }

    /// What the dispatcher tells by this name.
    fileprivate func metric(_ name: String) async throws -> Double {
        let line = try await services[.dispatcher].ask("/metrics").text.split(separator: "\n").first {
            $0.hasPrefix("\(name) ")
        }
        guard let value = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchError.failed("the dispatcher does not tell \(name)")
        }
        return value
    }
}
