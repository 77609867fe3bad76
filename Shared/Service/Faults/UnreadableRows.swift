import JSON
public import Primitives
import Synchronization

/// Rows that cannot be read, because their key is lost or their content is damaged: lists leave them out, so that the
/// rest is answered. Each is logged and counted once by a process, however often it is asked for.
public final class UnreadableRows: Sendable {
    /// Rows that are remembered; when more are found all are forgotten, and reported again when they are met again.
    static let rowsMax = 10_000

    private struct Row: Hashable {
        let table: String
        let id: UUID
    }

    private let log: Log
    private let count: MetricFamily<Counter>
    private let known = Mutex<Set<Row>>([])

    public init(log: Log, metrics: Metrics) {
        self.log = log
        count = metrics.counters(
            "trackme_unreadable_rows_total",
            "Rows that cannot be read and are left out of answers: look into the log.", labels: ["table"])
    }

    var rememberedCount: Int { known.withLock(\.count) }

    /// Reads the row `id` of a table (`track4run.run`); `nil` when it cannot be read.
    public func read<Value>(_ table: String, _ id: UUID, _ body: () throws -> Value) -> Value? {
        do { return try body() } catch {
            let isNew = known.withLock { known in
                if known.count >= Self.rowsMax { known = [] }
                return known.insert(Row(table: table, id: id)).inserted
            }
            if isNew {
                count[table].increment()
                log.error(
                    "a row cannot be read and is left out",
                    ["table": .string(table), "row": .string(id.description), "error": Log.text(of: error)])
            }
            return nil
        }
    }
}
