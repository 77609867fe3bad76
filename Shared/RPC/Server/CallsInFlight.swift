import Reactor
import Telemetry

/// The calls of one connection that are running.
struct CallsInFlight {
    struct Call {
        /// `nil` for a notification.
        let id: RequestID?
        let batch: BatchAnswer?
        let method: String
        let trace: TraceContext
        let began: Deadline
        var deadline: Deadline
        var task: Task<Void, Never>?
        /// The client has its answer (time was over), though the handler has not returned yet.
        var isAnswered = false
    }

    private var calls: [UInt64: Call] = [:]
    private var lastKey: UInt64 = 0
    /// Calls whose client still waits.
    private(set) var unansweredCount = 0

    var count: Int { calls.count }

    mutating func insert(_ call: Call) -> UInt64 {
        lastKey += 1
        calls[lastKey] = call
        unansweredCount += 1
        return lastKey
    }

    /// No effect when the call has ended already.
    mutating func setTask(_ task: Task<Void, Never>, of key: UInt64) {
        calls[key]?.task = task
    }

    mutating func remove(_ key: UInt64) -> Call? {
        guard let call = calls.removeValue(forKey: key) else { return nil }
        if !call.isAnswered { unansweredCount -= 1 }
        return call
    }

    var earliestDeadline: Deadline {
        calls.values.reduce(.never) { $1.isAnswered ? $0 : min($0, $1.deadline) }
    }

    /// No call has longer than until `deadline` from now on.
    mutating func shorten(to deadline: Deadline) {
        for key in calls.keys where calls[key].map({ $0.deadline > deadline }) == true {
            calls[key]?.deadline = deadline
        }
    }

    /// Cancels what has run out of time and returns it, to be answered.
    mutating func expire(at now: Deadline) -> [Call] {
        cancel { $0.deadline <= now }
    }

    /// Cancels what the client gave up.
    mutating func cancel(id: RequestID) -> [Call] {
        cancel { $0.id == id }
    }

    mutating func cancelAll() -> [Call] {
        cancel { _ in true }
    }

    private mutating func cancel(where isMeant: (Call) -> Bool) -> [Call] {
        var cancelled: [Call] = []
        for (key, call) in calls where !call.isAnswered && isMeant(call) {
            call.task?.cancel()
            calls[key]?.isAnswered = true
            unansweredCount -= 1
            cancelled.append(call)
        }
        return cancelled
    }
}
