internal import Postgres
internal import RPC
internal import Reactor

/// What the failure of applying something means.
enum ApplyFailure {
    /// Another replica has moved the cursor.
    case overtaken
    /// Passes by itself; nothing is wrong with the event. Also a commit of unknown outcome: the stored cursor tells.
    case passing
    case cancelled
    /// To be counted against the events.
    case events

    init(_ error: any Error) {
        switch error {
        case let error as TransactionError: self.init(error.underlying)
        case let error as PostgresError: self.init(postgres: error)
        case let error as RPCError:
            self = error.code == .cancelled ? .cancelled : error.isRetryable ? .passing : .events
        case let error as IOError: self = error == .cancelled ? .cancelled : .passing
        case is CancellationError: self = .cancelled
        default: self = .events
        }
    }

    private init(postgres error: PostgresError) {
        switch error {
        case .connection, .outcomeUnknown, .timedOut, .overloaded, .closed: self = .passing
        case .cancelled: self = .cancelled
        case .decoding, .usage: self = .events
        case .server(let failure): self.init(state: failure.sqlState)
        }
    }

    /// Of the server's classes these say that it, not the statement, is in trouble: connection, rollback, resources,
    /// intervention by an operator, system; and a server that has become a standby, or a lock not to be had.
    private init(state: SQLState) {
        if state == FeedSchema.cursorMoved {
            self = .overtaken
        } else if ["08", "40", "53", "57", "58"].contains(state.errorClass) || state == .readOnlyTransaction
            || state == .lockNotAvailable
        {
            self = .passing
        } else {
            self = .events
        }
    }
}

/// Reading said that a snapshot is needed.
func isFeedGone(_ error: any Error) -> Bool {
    guard let error = error as? RPCError else { return false }
    return error.code == .gone
}

/// What may be kept of an error: its kind, without values of rows.
func reason(_ error: any Error) -> String {
    switch error {
    case let error as TransactionError: reason(error.underlying)
    case let error as PostgresError:
        error.description + (error.constraint.map { " (\($0))" } ?? "")
    default: String(describing: error)
    }
}
