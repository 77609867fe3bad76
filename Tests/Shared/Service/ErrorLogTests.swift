@testable import Feed
import JSON
import Postgres
import Primitives
@testable import RPC
import Telemetry
import Testing

@Suite struct ErrorLogTests {
    private let sink = MemoryLogSink()
    private var observer: Observer { Observer(log: Log(service: "s", sink: sink)) }

    @Test("NFR-06: of a failed statement the log has the kind and the constraint, never the row")
    func databaseErrors() throws {
        var failure = ServerError(sqlState: .uniqueViolation, message: "duplicate key", constraint: "account_email_key")
        failure.detail = "Key (email)=(ada@example.org) already exists."
        let record = FeedRecord(
            lane: 3, position: 77, entity: .random(), version: 1, kind: "changed",
            payload: try JSONRaw(encoding: ["email": "ada@example.org"]), recordedAt: .now())
        FeedReport(observer)(.parked(feed: "accounts.changes", record: record, error: PostgresError.server(failure)))
        FeedReport(observer)(.applyFailed(feed: "accounts.changes", error: PostgresError.server(failure)))
        RPCServerMetrics(observer).handlerFailed(
            "accounts.find", for: "query", .root(), PostgresError.server(failure), isAwaited: true)
        #expect(sink.lines.count == 3)
        for line in sink.lines {
            #expect(!line.contains("example.org"))
            #expect(line.contains("account_email_key") || line.contains("23505"), "\(line)")
        }
        #expect(sink.lines.first?.contains(#""feed_position":77"#) == true)
    }
}
