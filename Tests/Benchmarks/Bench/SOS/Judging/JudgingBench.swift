import Contracts
import HTTP
import JSON
import LoadGenerator
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import Reactor
import Security

/// AutomatedSOS at work on many people: the real dispatcher on real PostgreSQL follows the feed of a played ingestion.
///
/// For 100,000 people, and for a million: how long a process takes to have all of them in memory, how much each takes there, how many
/// samples are judged per second of processor time on the whole way from the feed's answer to the monitor in memory and its saving, and how
/// soon a process that takes over after a kill judges again.
enum JudgingBench {
    private static let crowds = [100_000, 1_000_000]
    private static let judgedMin = 100_000.0
    private static let bytesMax = 1024.0
    private static let takeOverMax = 2.0
    private static let measured = Duration.seconds(15)
    /// Uploads of each, before anything is measured: monitors have seen as much as they keep.
    private static let warmUploads = 6
    private static let patience = Duration.seconds(900)
    private static let pause = Duration.milliseconds(20)
    private static let kept = "trackme_roster_people{state=\"kept\"}"

    static func run(_ report: inout Report) async throws {
        for count in crowds {
            let figures = try await measure(count)
            figures.report(count, isBarred: count == crowds[0], &report)
        }
    }

    private struct Figures: Sendable {
        var startSeconds = 0.0
        var emptyMegabytes = 0.0
        var keptMegabytes = 0.0
        var warmMegabytes = 0.0
        var restartedMegabytes = 0.0
        /// By uploads: samples per second of the dispatcher's processor time, per second, and PostgreSQL's share.
        var rates: [(upload: PlayedIngestion.Upload, each: Double, wall: Double, postgres: Double)] = []
        var firstSeconds = 0.0
        var caughtUpSeconds = 0.0

        func report(_ count: Int, isBarred: Bool, _ report: inout Report) {
            let who = "\(count) people"
            report.note("\(who): all in memory \(rounded(startSeconds)) s after the start")
            let each = (restartedMegabytes - emptyMegabytes) * 1e6 / Double(count)
            let grown = (warmMegabytes - emptyMegabytes) * 1e6 / Double(count)
            let resting = (keptMegabytes - emptyMegabytes) * 1e6 / Double(count)
            report.note(
                "\(who): \(rounded(resting)) bytes each that have sent nothing; the process has \(rounded(warmMegabytes)) MB"
            )
            // Monitors that have grown from nothing leave holes behind them.
            report.note(
                "\(who): \(rounded(grown)) bytes each once all monitors have grown to their size in one process")
            report.add(
                "\(who), bytes each, keys included, in a process that has read them", each, "B", atMost: bytesMax)
            for (upload, each, wall, postgres) in rates {
                let what = "\(who), uploads of \(upload.samples) samples"
                report.note(
                    "\(what): \(rounded(wall)) samples/s; PostgreSQL \(rounded(postgres * 100))% of the dispatcher's time"
                )
                if upload.readings > 1 {
                    report.add("\(what), judged per second and core", each, "/s", atLeast: judgedMin)
                } else {
                    report.note("\(what), judged per second and core: \(rounded(each)) /s")
                }
            }
            if isBarred {
                report.add("\(who), take-over until the first is judged", firstSeconds, "s", atMost: takeOverMax)
            } else {
                report.note("\(who), take-over until the first is judged: \(rounded(firstSeconds)) s")
            }
            report.note("\(who), take-over until all that was missed is judged: \(rounded(caughtUpSeconds)) s")
        }
    }

    private static func measure(_ count: Int) async throws -> Figures {
        let port = try Ports.free()
        let nobody = try Ports.free()
        return try await ServicesBed.with([.dispatcher], peers: ["ingestion": port, "accounts": nobody]) { bed in
            var figures = Figures()
            figures.emptyMegabytes = try ProcessMemory(of: try bed.process(.dispatcher)).now
            let made = try people(bed)
            // The key store is made beside everything else.
            try await wait {
                try await made.keys.queryOne("select to_regclass('subject_key') is not null", as: Bool.self) == true
            }
            bed[.dispatcher].kill()
            let began = Deadline.now()
            let accounts = try await made.add(count)
            await made.keys.close()
            emit("      \(count) people made in \(rounded(seconds(since: began))) s")
            return try await PlayedIngestion.with(accounts, port: port, on: bed.loops) { ingestion in
                try await measure(bed, ingestion, &figures)
                return figures
            }
        }
    }

    private static func people(_ bed: ServicesBed) throws -> MadePeople {
        let schemas = bed.schemas(of: .dispatcher).named
        let text = try bed.directory.read("dispatcher.field.key")
        guard let bytes = Base64.standard.decode(text) else { throw BenchError.failed("no key") }
        let ring = try KeyRing(["1": try SecretKey(bytes)], current: "1")
        var configuration = DatabaseConfiguration(
            connectionInfo: try DatabaseAddress.shared().connectionInfo, searchPath: [schemas.keys],
            applicationName: "bench")
        configuration.connectionsPerLoopMax = 2
        configuration.queryTime = .seconds(300)
        return MadePeople(
            dispatcher: bed.database(of: .dispatcher), keys: Database(configuration, loops: bed.loops),
            cipher: FieldCipher(FieldKeys(ring)))
    }

    private static func measure(
        _ bed: ServicesBed, _ ingestion: PlayedIngestion, _ figures: inout Figures
    ) async throws {
        let count = ingestion.accounts.count
        var start = Deadline.now()
        try await bed[.dispatcher].start()
        try await wait { try await metric(kept, bed) == Double(count) }
        figures.startSeconds = seconds(since: start)
        figures.keptMegabytes = try ProcessMemory(of: try bed.process(.dispatcher)).now
        ingestion.add(count * warmUploads, .init(readings: 3, hasPosition: true))
        try await judged(ingestion, bed)
        figures.warmMegabytes = try ProcessMemory(of: try bed.process(.dispatcher)).now
        for upload in [PlayedIngestion.Upload(readings: 1), .init(readings: 3)] {
            figures.rates.append(try await rate(upload, bed, ingestion))
        }
        // As it dies in the middle of its work, and another one of the same service begins where the cursor stands.
        ingestion.add(20_000, .init(readings: 1))
        try await wait { ingestion.acknowledged > ingestion.end - 20_000 }
        bed[.dispatcher].kill()
        start = .now()
        ingestion.add(1000, .init(readings: 1))
        try await bed[.dispatcher].start()
        try await wait { try await metric("trackme_judged_samples_total", bed) > 0 }
        figures.firstSeconds = seconds(since: start)
        try await judged(ingestion, bed)
        figures.caughtUpSeconds = seconds(since: start)
        try await wait { try await metric(kept, bed) == Double(count) }
        figures.restartedMegabytes = try ProcessMemory(of: try bed.process(.dispatcher)).now
    }

    /// For some seconds, of as many uploads as there can be.
    private static func rate(
        _ upload: PlayedIngestion.Upload, _ bed: ServicesBed, _ ingestion: PlayedIngestion
    ) async throws -> (upload: PlayedIngestion.Upload, each: Double, wall: Double, postgres: Double) {
        let process = try bed.process(.dispatcher)
        ingestion.add(100_000_000, upload)
        try await EventLoop.current?.sleep(for: .seconds(3))
        func now() async throws -> (samples: Double, own: ProcessorTime, postgres: ProcessorTime, at: Deadline) {
            (
                try await metric("trackme_judged_samples_total", bed), try ProcessorTime(of: process),
                try ProcessorTime(of: bed.postgres), .now()
            )
        }
        let before = try await now()
        try await EventLoop.current?.sleep(for: measured)
        let after = try await now()
        ingestion.stop()
        try await judged(ingestion, bed)
        let (samples, own) = (after.samples - before.samples, after.own - before.own)
        return (
            upload, samples / own, samples / (Double(after.at.since(before.at).milliseconds) / 1000),
            (after.postgres - before.postgres) / own
        )
    }

    /// Waits until all that there is has been judged and saved.
    private static func judged(_ ingestion: PlayedIngestion, _ bed: ServicesBed) async throws {
        try await wait { ingestion.acknowledged >= ingestion.end }
    }

    private static func metric(_ name: String, _ bed: ServicesBed) async throws -> Double {
        let text: String
        do { text = try await bed[.dispatcher].ask("/metrics").text } catch { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }

    private static func wait(until holds: () async throws -> Bool) async throws {
        let deadline = Deadline.after(patience)
        while try await !holds() {
            guard !deadline.hasPassed else { throw BenchError.failed("it was not done within \(patience)") }
            try await EventLoop.current?.sleep(for: pause)
        }
    }
}
