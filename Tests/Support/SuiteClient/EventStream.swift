import Contracts
import HTTP
public import Primitives
import Reactor
import Synchronization

/// Server-Sent Events as somebody receives them, kept with the time of their arrival.
public final class EventStream: Sendable {
    public struct Event: Sendable {
        public let arrived: Timestamp
        public let name: String
        public let data: String
        /// The last id that came with it or before: where a broken stream goes on.
        public let id: String?
    }

    private let received: ReceivedEvents
    private let task: Task<Void, Never>

    /// Follows an address until it ends or `stop`; call on a loop.
    init(_ request: HTTPClientRequest, by client: HTTPClient, on loop: EventLoop, deadline: Deadline) {
        let received = ReceivedEvents()
        self.received = received
        task = loop.task {
            let end: String
            do throws(HTTPClientError) {
                end = try await client.stream(request, deadline: deadline) { (head, chunks) throws(HTTPClientError) in
                    guard head.status == .ok else { return "was answered with \(head.status.rawValue)" }
                    var parser = ServerSentEventParser()
                    while let chunk = try await chunks.next() { received.add(try parser.events(in: chunk)) }
                    return "ended"
                }
            } catch {
                // Servers break a stream off rather than end it when it may not go on.
                if case .malformedResponse = error { end = "broke off" } else { end = "broke off (\(error))" }
            }
            received.finish(end)
        }
    }

    deinit { stop() }

    public var events: [Event] { received.current.events }

    /// Why the stream ended; `nil` while it goes on.
    public var end: String? { received.current.end }

    /// The first event from number `index` on for which `isWanted` holds, with the number after it. Errors: `unexpected`
    /// when it does not come in time, or the stream ends before.
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
            guard !deadline.hasPassed else { throw .unexpected("\(what) did not come within \(time.brief).") }
            _ = await received.changed.wait(after: seen, deadline: deadline)
        }
    }

    /// Waits for the end, and says why. Errors: `unexpected` when it does not come in time.
    public func waitForEnd(within time: Duration) async throws(SuiteError) -> String {
        let deadline = Deadline.after(time)
        while true {
            let seen = received.changed.value
            if let end { return end }
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
    }

    private let state = Mutex(State())
    let changed = EventCounter()

    var current: (events: [EventStream.Event], end: String?) { state.withLock { ($0.events, $0.end) } }

    func add(_ events: [ServerSentEventParser.Event]) {
        let now = Timestamp.now()
        state.withLock { state in
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

    /// A run, live. Call on a loop.
    public func live(_ run: UUID) throws(SuiteError) -> EventStream { try follow(.track4run, "/runs/\(run)/live") }

    private func follow(_ service: ServiceName, _ path: String) throws(SuiteError) -> EventStream {
        guard let loop = EventLoop.current else { preconditionFailure("an event stream outside an event loop") }
        var request = try request(.get, service, path)
        request.fields["Accept"] = "text/event-stream"
        return EventStream(request, by: suite.http, on: loop, deadline: .after(.seconds(600)))
    }
}
