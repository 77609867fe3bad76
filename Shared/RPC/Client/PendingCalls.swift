import Reactor

/// The calls of one connection that wait for an answer, each ended exactly once.
struct PendingCalls {
    typealias Completion = UnsafeContinuation<Result<Reply, CallFailure>, Never>

    private struct Call {
        let deadline: Deadline
        let began: Deadline
        let isLongPoll: Bool
        let complete: Completion
    }

    private var calls: [Int64: Call] = [:]
    /// The long polls among them.
    private(set) var longPollCount = 0

    var count: Int { calls.count }

    mutating func insert(_ id: Int64, _ call: OutgoingCall, began: Deadline, complete: Completion) {
        calls[id] = Call(deadline: call.deadline, began: began, isLongPoll: call.isLongPoll, complete: complete)
        if call.isLongPoll { longPollCount += 1 }
    }

    func contains(_ id: Int64) -> Bool { calls[id] != nil }

    /// The completion of a call that is pending still.
    mutating func remove(_ id: Int64) -> Completion? {
        guard let call = calls.removeValue(forKey: id) else { return nil }
        if call.isLongPoll { longPollCount -= 1 }
        return call.complete
    }

    mutating func removeAll() -> [Completion] {
        defer { (calls, longPollCount) = ([:], 0) }
        return calls.values.map(\.complete)
    }

    var earliestDeadline: Deadline {
        calls.values.reduce(.never) { min($0, $1.deadline) }
    }

    /// Takes out the calls whose time is over, with when they began.
    mutating func removeExpired(at now: Deadline) -> [(complete: Completion, began: Deadline)] {
        var expired: [(complete: Completion, began: Deadline)] = []
        for (id, call) in calls where call.deadline <= now {
            _ = remove(id)
            expired.append((call.complete, call.began))
        }
        return expired
    }
}

/// An answer in the frame that brought it.
///
/// Sendable without the compiler's proof: the connection hands it to the one task that waits for it, and keeps nothing.
struct Reply: @unchecked Sendable {
    let value: ParsedFrame.Value
    let frame: ParsedFrame
}
