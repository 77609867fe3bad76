import Contracts
import HTTP
import JSON
public import Primitives
public import Reactor
import Synchronization

/// Server-Sent Events as somebody receives them, kept with the time of their arrival.
public final class EventStream: Sendable {
    public struct Event: Sendable {
        public let arrived: Timestamp
        public let name: String
        public let data: String
        /// The last id that came with it or before: where a broken stream goes on.
        public let id: String?

        /// What it tells a third party. Errors: `unexpected` for an event of something else.
        public var content: ReceivedEvent {
            get throws(SuiteError) {
                do throws(JSONError) {
                    return try JSONDecoder().decode(ReceivedEvent.self, from: Array(data.utf8))
                } catch { throw .unexpected("The event \(name) is not as described: \(error)") }
            }
        }
    }

    private let received: ReceivedEvents
    private let task: Task<Void, Never>

    /// How long it is asked for again when the service says that it cannot serve it now, and how often.
    private static let (busyMax, busyPause) = (Duration.seconds(10), Duration.milliseconds(200))

    /// Follows an address until it ends or `stop`; call on a loop.
    init(_ request: HTTPClientRequest, by client: HTTPClient, on loop: EventLoop, deadline: Deadline) {
        let received = ReceivedEvents()
        self.received = received
        task = loop.task {
            let busyEnd = Deadline.after(Self.busyMax)
            var status = HTTPStatus.ok
            var end: String
            repeat {
                do throws(HTTPClientError) {
                    status = try await client.stream(request, deadline: deadline) {
                        (head, chunks) throws(HTTPClientError) in
                        guard head.status == .ok else { return head.status }
                        var parser = ServerSentEventParser()
                        while let chunk = try await chunks.next() {
                            received.add(try parser.events(in: chunk), bytes: chunk.count)
                        }
                        return .ok
                    }
                    end = status == .ok ? "ended" : "was answered with \(status.rawValue)"
                    // A task that is stopped leaves the loop at the pause.
                    if status == .serviceUnavailable { try? await loop.sleep(for: Self.busyPause) }
                } catch {
                    // Servers break a stream off rather than end it when it may not go on.
                    if case .malformedResponse = error { end = "broke off" } else { end = "broke off (\(error))" }
                    break
                }
            } while status == .serviceUnavailable && !busyEnd.hasPassed && !Task.isCancelled
            received.finish(end)
        }
    }

    deinit { stop() }

    public var events: [Event] { received.current.events }

    /// Bytes that have come, also of what is no event.
    public var byteCount: Int { received.byteCount }

    /// Why the stream ended; `nil` while it goes on.
    public var end: String? { received.current.end }

    /// The first event from number `index` on for which `isWanted` holds, with the number after it. Errors: `unexpected`
    /// when it does not come in time, the stream ends before, or the task is cancelled.
    public func first(
        from index: Int = 0, within time: Duration, _ what: String, where isWanted: @Sendable (Event) -> Bool
    ) async throws(SuiteError) -> (event: Event, next: Int) {
        let deadline = Deadline.after(time)
        var position = index
        while true {
            let seen = received.changed.value
            let (events, end) = received.current
            while position < events.count {
                if isWanted(events[position]) { return (events[position], position + 1) }
                position += 1
            }
            if let end { throw .unexpected("The event stream \(end) before \(what).") }
            guard !Task.isCancelled else { throw .unexpected("The wait for \(what) was broken off.") }
            guard !deadline.hasPassed else { throw .unexpected("\(what) did not come within \(time.brief).") }
            _ = await received.changed.wait(after: seen, deadline: deadline)
        }
    }

    /// How many events there are, once there are more than `count`, the stream has ended, or at the deadline.
    public func news(after count: Int, until deadline: Deadline) async -> Int {
        while true {
            let seen = received.changed.value
            let (events, end) = received.current
            if events.count > count || end != nil || deadline.hasPassed { return events.count }
            _ = await received.changed.wait(after: seen, deadline: deadline)
        }
    }

    /// Waits for the end, and says why. Errors: `unexpected` when it does not come in time.
    public func waitForEnd(within time: Duration) async throws(SuiteError) -> String {
        let deadline = Deadline.after(time)
        while true {
            let seen = received.changed.value
            if let end { return end }
            guard !Task.isCancelled else { throw .unexpected("The wait for the stream's end was broken off.") }
            guard !deadline.hasPassed else { throw .unexpected("The event stream goes on after \(time.brief).") }
            _ = await received.changed.wait(after: seen, deadline: deadline)
        }
    }

    public func stop() { task.cancel() }
}

/// What a stream has brought so far. From any thread.
private final class ReceivedEvents: Sendable {
    private static let countMax = 100_000

    private struct State {
        var events: [EventStream.Event] = []
        var end: String?
        var byteCount = 0
    }

    private let state = Mutex(State())
    let changed = EventCounter()

    var current: (events: [EventStream.Event], end: String?) { state.withLock { ($0.events, $0.end) } }

    var byteCount: Int { state.withLock { $0.byteCount } }

    func add(_ events: [ServerSentEventParser.Event], bytes: Int) {
        let now = Timestamp.now()
        state.withLock { state in
            state.byteCount += bytes
            for event in events.prefix(Self.countMax - state.events.count) {
                state.events.append(.init(arrived: now, name: event.name, data: event.data, id: event.id))
            }
        }
        changed.raise()
    }

    func finish(_ end: String) {
        state.withLock { $0.end = end }
        changed.raise()
    }
}

extension API {
    /// What comes for a request, as it comes. Call on a loop.
    public func stream(of request: UUID, after cursor: String) throws(SuiteError) -> EventStream {
        try follow(.query, "/requests/\(request)/stream?cursor=\(PercentEncoding.encode(cursor))")
    }

    /// All that happens for this third party, from the beginning, or after an event that a stream or page has brought before.
    /// Call on a loop.
    public func eventStream(after id: String? = nil) throws(SuiteError) -> EventStream {
        try follow(.query, "/events/stream", lastEventID: id)
    }
    /// The inbox as it fills, for ten minutes at most. Call on a loop.
    public func inboxEvents() throws(SuiteError) -> EventStream { try follow(.accounts, "/inbox/events") }

    /// A run, live. Call on a loop.
    public func live(_ run: UUID) throws(SuiteError) -> EventStream { try follow(.track4run, "/runs/\(run)/live") }

    private func follow(
        _ service: ServiceName, _ path: String, lastEventID: String? = nil
    ) throws(SuiteError) -> EventStream {
        guard let loop = EventLoop.current else { preconditionFailure("an event stream outside an event loop") }
        var request = try request(.get, service, path)
        request.fields["Accept"] = "text/event-stream"
        if let lastEventID { request.fields["Last-Event-ID"] = lastEventID }
        return EventStream(request, by: suite.http, on: loop, deadline: .after(.seconds(600)))
    }
}
