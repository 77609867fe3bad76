import LoadGenerator
import ProcessTesting
import Reactor

/// Uploads by 20,000 people in four shards on two clusters of this machine, against one shard: what the directory, and groups of
/// commits that are four times as small, cost.
enum ShardsBench {
    private static let shards = 4
    private static let warmSeconds = 3.0
    private static let seconds = 10.0

    static func run(_ report: inout Report) async throws {
        let one = try await IngestionBed.with { try await $0.load(load) }
        // The second cluster, too, works on both cores.
        Side.both.pin()
        defer { Side.client.pin() }
        let several = try await EventLoopGroup.withLoops(1) { loops in
            try await PrivateCluster.with(loops) { cluster in
                // As durable as the other one.
                try await cluster.start("fsync=on", "shared_buffers=128MB", "max_connections=200")
                return try await IngestionBed.with(shards: shards, beside: cluster.address) { try await $0.load(load) }
            }
        }
        report.note("one shard: \(one.text)")
        report.note("\(shards) shards on two clusters (processor time of the first): \(several.text)")
        report.add(
            "uploads with \(shards) shards on two clusters", several.result.rate, against: "with one shard",
            one.result.rate, "/s", .atLeast(0.9))
    }

    private static func load(_ bed: LoadBed) throws -> LoadFigures {
        let source = UploadSource(
            .live, of: 0..<UploadsBench.people, tokens: try bed.tokens(.device, count: UploadsBench.people),
            host: bed.authority)
        let runner = try bed.runner(source, connections: UploadsBench.connections)
        _ = try bed.measured(runner, .closed, for: .requests(UploadsBench.people))
        _ = try runner.run(.closed, for: .seconds(warmSeconds))
        return try bed.measured(runner, .closed, for: .seconds(seconds))
    }
}
