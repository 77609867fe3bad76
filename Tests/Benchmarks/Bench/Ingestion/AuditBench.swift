import Contracts
import Domain
import LoadGenerator
import Postgres
import Primitives
import RPC
import Reactor

/// What the audit trail costs a read by a neighbour: `ingestion.read` of 500 samples of one of 1,000 people, each with an entry of its
/// own, against the same of which the entry is there already.
enum AuditBench {
    private static let people = 1000
    private static let samples = 500
    private static let rate = 200
    private static let (turns, turnSeconds) = (6, 4)

    static func run(_ report: inout Report) async throws {
        let end = Timestamp.now() - .seconds(3600)
        let (noted, plain) = try await IngestionBed.with { bed in
            try await bed.load { bed in
                let source = UploadSource(
                    .history(turns: ReadsBench.othersTurns, from: end - .seconds(86_400)), of: 0..<people,
                    tokens: try bed.tokens(.device, count: people), host: bed.authority)
                _ = try bed.measured(
                    try bed.runner(source, connections: UploadsBench.connections), .closed, for: .requests(people))
            }
            let accounts = try await bed.database.query("select account_id from person", as: UUID.self)
            return try await bed.bed.calling(.ingestion, as: "query") { client in
                var (noted, plain) = (TimedCalls(), TimedCalls())
                @Sendable func read(_ number: Int, _ purpose: String) async throws {
                    let params = Ingestion.Read.Params(
                        accountID: accounts[number % accounts.count], types: DataType.allCases,
                        from: end - .seconds(2 * 86_400), to: end, after: .beginning, limit: samples,
                        waitMilliseconds: 0, reason: .init(purpose: purpose, onBehalfOf: accounts[0]))
                    let result = try await client.call(Ingestion.Read.self, params, deadline: .after(.seconds(10)))
                    guard !result.series.isEmpty else { throw BenchError.failed("a person without samples") }
                }
                for number in accounts.indices { try await read(number, "bench") }
                for _ in 0..<turns {
                    try await noted.run(rate: rate, seconds: turnSeconds) { try await read($0, "bench \($0)") }
                    try await plain.run(rate: rate, seconds: turnSeconds) { try await read($0, "bench") }
                }
                return (noted, plain)
            }
        }
        report.note("reads, p50: \(rounded(noted.p50)) ms; without an entry: \(rounded(plain.p50)) ms")
        report.add(
            "ingestion.read at \(rate)/s with an entry, p99", noted.p99, against: "without", plain.p99, "ms", .atMost(2)
        )
    }
}
