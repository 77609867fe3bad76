import Glibc
import Reactor

/// `trackme-bench NAME …`: runs these benchmarks; exit status 1 when one falls short of its bar, 2 for a mistake.
/// `deploy/bench` builds it, makes what it needs, and runs it.
@main struct Bench {
    /// Benchmarks by name, in the order of the list that `deploy/bench` prints.
    static let benchmarks: [(name: String, run: @Sendable (inout Report) async throws -> Void)] = [
        ("reactor", ReactorBench.run),
        ("rpc", RPCBench.run),
        ("http", HTTPBench.run),
        ("proxy", ProxyBench.run),
        ("postgres", PostgresBench.run),
        ("connections", ConnectionsBench.run),
        ("feed", FeedBench.run),
        ("accounts.directory", DirectoryBench.run),
        ("accounts.tokens", TokensBench.run),
        ("accounts.hashing", HashingBench.run),
        ("accounts.leaving", LeavingBench.run),
        ("ingestion.parsing", ParsingBench.run),
        ("ingestion.uploads", UploadsBench.run),
        ("ingestion.people", PeopleBench.run),
        ("ingestion.shards", ShardsBench.run),
        ("ingestion.moves", MoveBench.run),
        ("ingestion.history", HistoryBench.run),
        ("ingestion.disk", DiskBench.run),
        ("ingestion.sealed", SealedBench.run),
        ("ingestion.reads", ReadsBench.run),
        ("ingestion.audit", AuditBench.run),
        ("ingestion.positions", PositionsBench.run),
        ("ingestion.live", LiveBench.run),
        ("ingestion.sealing", SealingBench.run),
        ("ingestion.import", ImportBench.run),
        ("ingestion.recordings", RecordingsBench.run),
        ("deliveries.page", FirstPageBench.run),
        ("deliveries.subscriptions", SubscriptionBench.run),
        ("deliveries.webhooks", WebhooksBench.run),
        ("deliveries.withdrawal", WithdrawalBench.run),
        ("deliveries.files", DayFilesBench.run),
        ("deliveries.streams", OpenStreamsBench.run),
        ("sos.handover", HandOverBench.run),
        ("sos.watched", HandOverBench.runWatched),
        ("sos.journal", AwayBench.runJournal),
        ("sos.away", AwayBench.runAway),
        ("sos.mass", MassBench.run),
        ("sos-judging", JudgingBench.run),
        ("soak", SoakBench.run),
    ]
    /// Servers that a benchmark runs in a process of its own.
    static let servers: [(name: String, run: @Sendable (EventLoopGroup) async throws -> Void)] = [
        ("serve-echo", ReactorBench.serve),
        ("serve-rpc", RPCBench.serve),
        ("serve-http", HTTPBench.serve),
        ("serve-directory", PlainDirectory.serve),
        ("serve-hooks", HookReceiver.serve),
        ("serve-ambulance", AmbulanceServer.serve),
    ]

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            if let name = arguments.first, let server = servers.first(where: { $0.name == name }) {
                endWithParent()
                let loops = try EventLoopGroup(count: 1)
                try await loops.loops[0].throwingTask { () async throws in
                    try await server.run(loops)
                    try await loops.loops[0].sleep(until: .never)
                }.value
            }
            Side.client.pin()
            let chosen = benchmarks.filter { benchmark in arguments.contains { benchmark.name.isPart(of: $0) } }
            guard !chosen.isEmpty, arguments.allSatisfy({ name in chosen.contains { $0.name.isPart(of: name) } }) else {
                emit("usage: trackme-bench NAME …, of: \(benchmarks.map(\.name).joined(separator: " "))")
                emit("a name before a point stands for all that begin with it")
                exit(2)
            }
            var report = Report()
            for benchmark in chosen {
                emit(benchmark.name)
                try await benchmark.run(&report)
            }
            exit(report.shortfalls == 0 ? 0 : 1)
        } catch {
            emit("the benchmark failed: \(error)")
            exit(2)
        }
    }
}

extension String {
    /// Whether it is what a name stands for: `ingestion` for `ingestion.disk`, too.
    fileprivate func isPart(of name: String) -> Bool { self == name || hasPrefix("\(name).") }
}
