import Contracts
import Feed
import LoadGenerator
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import Synchronization
import Telemetry

/// The live feed while uploads run at 75% of their maximum, sent at fixed times: from a watched person's upload to the
/// commit of the consumer, which the bench plays in place of the dispatcher.
enum LiveBench {
    private static let people = UploadsBench.people
    /// So many of them are watched, spread evenly among all.
    private static let watched = 500
    private static let apart = people / watched
    private static let maxSeconds = 8.0
    private static let seconds = 15
    private static let share = 0.75
    /// Uploads per second when nothing else is going on.
    private static let quietRate = 50.0
    private static let quietSeconds = 8.0

    static func run(_ report: inout Report) async throws {
        let port = try Ports.free()
        let (quiet, most, alone, beside, done) = try await IngestionBed.with(["dispatcher": port]) { bed in
            let accounts = (0..<watched).map { DeviceTokens.account($0 * apart, seed: LoadBed.seed) }
            return try await LiveConsumer.with(bed, rpcPort: port, watching: accounts) { consumer in
                try await consumer.waitUntilWatched(by: bed, watched, apart: apart)
                _ = consumer.taken()
                _ = try await bed.load { bed in
                    let source = UploadSource(
                        .live, of: stride(from: 0, to: people, by: apart).map { $0 },
                        tokens: try bed.tokens(.device, count: people),
                        host: bed.authority)
                    return try bed.measured(
                        try bed.runner(source, connections: 8), .open(rate: quietRate), for: .seconds(quietSeconds))
                }
                let quiet = consumer.taken()
                let others = LiveBeside()
                try await others.prepare(bed)
                async let work = others.run(bed)
                let (most, alone, beside) = try await bed.load { bed in
                    defer { others.end() }
                    // The same tokens in both parts, so that the second one checks no signatures.
                    let source = UploadSource(
                        .live, of: 0..<people, tokens: try bed.tokens(.device, count: people), host: bed.authority)
                    let runner = try bed.runner(source, connections: UploadsBench.connections)
                    _ = try runner.run(.closed, for: .requests(people))
                    let most = try bed.measured(runner, .closed, for: .seconds(maxSeconds))
                    func phase() throws -> (load: CalmLoad, latency: LiveConsumer.Steps) {
                        var (load, latency) = (CalmLoad(rate: share * most.result.rate), LiveConsumer.Steps())
                        _ = consumer.taken()
                        try load.run(runner, bed, seconds: seconds) { isCalm in
                            let piece = consumer.taken()
                            if isCalm { latency.add(piece) }
                        }
                        return (load, latency)
                    }
                    let alone = try phase()
                    others.begin()
                    return (most, alone, try phase())
                }
                return (quiet, most, alone, beside, try await work)
            }
        }
        report.note("\(Int(quietRate)) uploads/s, nothing else: \(quiet.text)")
        report.note("at most: \(most.text)")
        for (words, phase) in [("", alone), (", beside \(done)", beside)] {
            report.note("at \(Int(share * 100)) % of it\(words): \(phase.load.text)")
            report.note("live feed of \(watched) people: \(phase.latency.text)")
            let expected = phase.load.figures.result.good * watched / people
            // People are taken in turn, and the feed may be a moment behind when the load ends.
            guard phase.latency.all.count > expected * 9 / 10 else {
                throw BenchError.failed("\(phase.latency.all.count) live events of about \(expected)")
            }
        }
        let p99 = alone.latency.all.percentile(0.99) / 1000
        report.add("upload sent to live feed's consumer's commit, p99", p99, "ms", atMost: 30)
        report.add(
            "the same beside a bulk import and a year's statistics", beside.latency.all.percentile(0.99) / 1000,
            against: "without", p99, "ms", .atMost(1.5))
    }
}
