import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Synchronization

/// What a third party has got of its events, and how far it has read: kept across breaks and restarts.
final class EventBook: Sendable {
    private struct State {
        var events: [ReceivedEvent] = []
        var cursor = API.eventsBeginning
        var counts: [UUID: Int] = [:]
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let changed = EventCounter()

    var events: [ReceivedEvent] { state.withLock { $0.events } }
    var cursor: String { state.withLock { $0.cursor } }

    /// Samples of all requests, or of one.
    func count(of request: UUID? = nil) -> Int {
        state.withLock { state in
            request.map { state.counts[$0] ?? 0 } ?? state.counts.values.reduce(0, +)
        }
    }

    /// When the samples of a request were measured, in the order in which they came.
    func times(of request: UUID) -> [Timestamp] { events.filter { $0.requestID == request }.flatMap(\.times) }

    /// Waits for so many samples of all requests, or of one. Errors: those of who reads.
    func reached(_ count: Int, of request: UUID? = nil) async throws {
        try await waits("\(count) samples came, but \(self.count(of: request))") { self.count(of: request) >= count }
    }

    /// Waits for so many events, of whatever kind. Errors: as above.
    func reached(events count: Int) async throws {
        try await waits("\(count) events came") { self.events.count >= count }
    }

    private func waits(_ what: @autoclosure () -> String, until holds: () -> Bool) async throws {
        let deadline = Deadline.after(.patience)
        while true {
            let seen = changed.value
            if let failure = state.withLock({ $0.failure }) { throw failure }
            if holds() { return }
            try Task.checkCancellation()
            guard !deadline.hasPassed else { throw ProcessFailure("it never was that \(what())") }
            _ = await changed.wait(after: seen, deadline: deadline)
        }
    }

    /// Events that came whole, and where to go on after them.
    func take(_ events: [ReceivedEvent], through cursor: String) {
        state.withLock { state in
            for event in events { state.counts[event.requestID, default: 0] += event.times.count }
            state.events += events
            state.cursor = cursor
        }
        changed.raise()
    }

    // MARK: Reading

    /// Runs `body` while somebody reads, again and again whatever happens to the services. Call on a loop.
    func reading(_ read: @escaping @Sendable (EventBook) async throws -> Void, _ body: () async throws -> Void)
        async throws
    {
        try await beside(
            [
                {
                    do { try await read(self) } catch {
                        guard !Task.isCancelled else { return }
                        self.state.withLock { $0.failure = error }
                        self.changed.raise()
                    }
                }
            ], body)
    }

    /// Page after page, by one of `programs` after the other.
    static func pages(_ programs: API..., limit: Int = 20) -> @Sendable (EventBook) async throws -> Void {
        { book in
            var turn = 0
            while !Task.isCancelled {
                let (program, cursor) = (programs[turn % programs.count], book.cursor)
                turn += 1
                let page = try await unlessAway { () async throws(SuiteError) in
                    try await program.events(after: cursor, limit: limit, wait: .seconds(1))
                }
                guard let page else {
                    try await pause(for: .milliseconds(20))
                    continue
                }
                book.take(page.events, through: page.next)
            }
        }
    }

    /// The stream, and after each break a new one from the last id on.
    static func stream(_ program: API) -> @Sendable (EventBook) async throws -> Void {
        { book in
            while !Task.isCancelled {
                let cursor = book.cursor
                let stream = try program.eventStream(after: cursor == API.eventsBeginning ? nil : cursor)
                var next = 0
                while true {
                    let event: EventStream.Event
                    do throws(SuiteError) {
                        (event, next) = try await stream.first(from: next, within: .patience, "an event") { _ in true }
                    } catch {
                        let isRefused = stream.end?.hasPrefix("was answered with 40") ?? true
                        guard !isRefused else { throw error }
                        break
                    }
                    guard let id = event.id else { throw ProcessFailure("an event has no id") }
                    book.take([try event.content], through: id)
                }
                try await pause(for: .milliseconds(20))
            }
        }
    }

    /// Reads on to the end, which is there already.
    func readOn(as program: API) async throws {
        while true {
            let page = try await program.patient.events(after: cursor, limit: 1000)
            take(page.events, through: page.next)
            guard page.hasMore else { return }
        }
    }
}
