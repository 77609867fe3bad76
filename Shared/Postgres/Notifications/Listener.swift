internal import CLibPQ
internal import JSON
internal import Reactor
internal import Synchronization
internal import Telemetry

extension Database {
    /// Listens to `channels` on a connection of its own, which is opened again, with pauses, whenever it is lost. At most
    /// `bufferMax` notifications wait for the reader.
    public func listen(to channels: [String], bufferMax: Int = 1024) -> Notifications {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DatabaseNotification.self, bufferingPolicy: .bufferingOldest(max(2, bufferMax)))
        let listener = Listener(database: self, channels: channels, continuation: continuation)
        let task = nextLoop().task { await listener.run() }
        continuation.onTermination = { _ in task.cancel() }
        return Notifications(stream: stream)
    }
}

/// Keeps one listening connection alive and passes on what it hears.
private struct Listener: Sendable {
    let database: Database
    let channels: [String]
    let continuation: AsyncStream<DatabaseNotification>.Continuation

    /// Until the task is cancelled.
    func run() async {
        var failures = 0
        var interruption = RepeatedFailure()
        while !Task.isCancelled, let loop = EventLoop.current {
            if await listen(&interruption) { failures = 0 } else { failures += 1 }
            let pause = database.configuration.reconnect.delay(afterFailures: failures)
            do { try await loop.sleep(for: pause) } catch { break }
        }
        continuation.finish()
    }

    /// For the life of one connection. False when it never came to listen.
    private func listen(_ interruption: inout RepeatedFailure) async -> Bool {
        var isListening = false
        let connection: Connection
        do {
            connection = try await Connection.open(database.configuration)
        } catch {
            report(error, &interruption)
            return false
        }
        defer { connection.close() }
        let confined = Confined(connection, to: connection.loop)
        let number = database.listening.withLock { listening in
            let number = (listening.keys.max() ?? 0) + 1
            listening[number] = { confined.loop.execute { confined.value.close() } }
            return number
        }
        defer { _ = database.listening.withLock { $0.removeValue(forKey: number) } }
        do {
            for channel in channels { try await connection.execute("LISTEN \(identifier: channel)") }
            var missed = 0
            pass(.listening, &missed)
            isListening = true
            interruption.succeeded()
            while true {
                while let handle = connection.handle, let notification = PQnotifies(handle) {
                    let message = DatabaseNotification.message(
                        channel: String(cString: notification.pointee.relname),
                        payload: String(cString: notification.pointee.extra))
                    PQfreemem(notification)
                    pass(message, &missed)
                }
                try await connection.watch.readable()
                guard PQconsumeInput(connection.handle) == 1 else { break }
            }
        } catch let error as PostgresError {
            report(error, &interruption)
        } catch {
            // Cancelled, or the loop ends.
        }
        return isListening
    }

    private func pass(_ notification: DatabaseNotification, _ missed: inout Int) {
        if missed > 0, case .enqueued = continuation.yield(.missed(missed)) { missed = 0 }
        if case .dropped = continuation.yield(notification) { missed += 1 }
    }

    /// Reports a failure, which the operator may be able to mend.
    private func report(_ error: PostgresError, _ interruption: inout RepeatedFailure) {
        guard error != .cancelled, interruption.isToBeTold() else { return }
        database.configuration.observer.log.warning("database listener interrupted", ["error": Log.text(of: error)])
    }
}
