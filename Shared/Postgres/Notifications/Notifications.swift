/// What a listener receives.
public enum DatabaseNotification: Sendable, Equatable {
    /// From here on notifications arrive. Comes first, and again after every reconnection: those sent in between are
    /// lost, so the reader has to read the tables itself.
    case listening
    case message(channel: String, payload: String)
    /// The reader was too slow and so many were thrown away.
    case missed(Int)
}

/// Notifications of some channels (`LISTEN`), for one reader. It ends when the reading task is cancelled or lets go of it.
public struct Notifications: AsyncSequence, Sendable {
    public typealias Element = DatabaseNotification
    public typealias Failure = Never

    let stream: AsyncStream<DatabaseNotification>

    public func makeAsyncIterator() -> AsyncStream<DatabaseNotification>.AsyncIterator {
        stream.makeAsyncIterator()
    }
}
