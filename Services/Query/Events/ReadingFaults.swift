import JSON
import Primitives
import Reactor
import Service
import Synchronization

/// Tells operators of readings that fail. They are tried again each second, and would fill the log.
final class ReadingFaults: Sendable {
    private let messages: Log
    private let row = Mutex(RepeatedFailure())

    init(_ messages: Log) { self.messages = messages }

    /// `request`: whose reading; `nil` when several were read together. `count`: how many fail now.
    func tell(_ error: JSONValue, of request: UUID? = nil, count: Int) {
        guard row.withLock({ $0.isToBeTold() }) else { return }
        var fields: JSONObject = ["error": error, "failing": .integer(Int64(count))]
        if let request { fields["request"] = .string(request.description) }
        messages.warning("what arrived cannot be read; it is tried again", fields)
    }

    /// No reading fails any more.
    func end() { row.withLock { $0.succeeded() } }
}
