internal import Postgres
internal import RPC
internal import Reactor

/// What it means that applying events failed.
enum ApplyFailure {
    /// Another replica has moved the cursor.
    case overtaken
    case cancelled
    /// The own database or a neighbour is unavailable or in trouble, which is no fault of the events. Also a commit of
    /// unknown outcome: the stored cursor decides.
    case away
    /// It took too long, or conflicted with other work: this passes, or is caused by an event each time.
    case unclear
    /// The events are at fault, as far as can be told.
    case events

    /// Whether the events may be the reason.
    var concernsEvents: Bool { self == .unclear || self == .events }

    init(_ error: any Error) {
        switch error {
        case let error as TransactionError: self.init(error.underlying)
        case let error as PostgresError: self.init(postgres: error)
        // A neighbour's failures are not the events' fault, except when the call itself was invalid.
        case let error as RPCError:
            self = error.code == .cancelled ? .cancelled : error.code == .invalidParams ? .events : .away
        case let error as IOError: self = error == .cancelled ? .cancelled : .away
        case is CancellationError: self = .cancelled
        default: self = .events
        }
    }

    private init(postgres error: PostgresError) {
        switch error {
        case .connection, .outcomeUnknown, .overloaded, .closed: self = .away
        case .timedOut: self = .unclear
        case .cancelled: self = .cancelled
        case .decoding, .usage: self = .events
        case .server(let failure): self.init(state: failure.sqlState)
        }
    }

    /// SQLSTATE classes that say that the server, not the statement, is in trouble: connection, resources, intervention
    /// by an operator, system; and a server that has become a standby. Unclear are rollbacks by the server (class 40),
    /// a statement's or a lock's timeout, and memory.
    private init(state: SQLState) {
        if state == FeedSchema.cursorMoved {
            self = .overtaken
        } else if state.errorClass == "40"
            || [.queryCanceled, .lockNotAvailable, .outOfMemory, .configurationLimitExceeded].contains(state)
        {
            self = .unclear
        } else if ["08", "53", "57", "58"].contains(state.errorClass) || state == .readOnlyTransaction {
            self = .away
        } else {
            self = .events
        }
    }
}

/// Whether the producer said that a snapshot is needed.
func isFeedGone(_ error: any Error) -> Bool {
    guard let error = error as? RPCError else { return false }
    return error.code == .gone && error.domain == FeedGone.domain
}

/// The part of an error that may be stored: its kind, without values of rows.
func reason(_ error: any Error) -> String {
    switch error {
    case let error as TransactionError: reason(error.underlying)
    case let error as PostgresError:
        error.description + (error.constraint.map { " (\($0))" } ?? "")
    default: String(describing: error)
    }
}
