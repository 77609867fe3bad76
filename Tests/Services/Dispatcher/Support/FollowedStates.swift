import JSON
import Primitives
import Reactor
import Security
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher
@testable import HTTP

/// A person's stream that a test reads while it goes on, on the loop of the test.
final class FollowedStates: Sendable {
    private let end = HTTPServerEnd()
    // Belongs to that loop alone.
    private nonisolated(unsafe) let writer = HTTPBodyWriter(count: nil)
    private let ended = Mutex(false)

    init(_ dispatcher: TestDispatcher, _ account: UUID) async throws {
        let plain = try HTTPRequest(
            .get, "/dispatcher/v1/me/incidents/stream",
            fields: ["Authorization": "Bearer \(try dispatcher.tokens.token(.individual, account: account))"])
        let response = try await dispatcher.assembled.answer(
            HTTPRequest(head: plain.head, body: plain.body, peer: nil, serverEnd: end))
        guard case .live(let producer) = response.body, let loop = EventLoop.current else {
            throw Problem.notFound
        }
        loop.task { [self] in
            try? await producer(writer)
            ended.withLock { $0 = true }
        }
    }

    /// As the server stops.
    func stop() { end.reach() }

    var isEnded: Bool { ended.withLock { $0 } }

    /// The states that have come.
    var states: [String] { events.compactMap { $0["state"]?.text } }
    var incidents: [String] { events.compactMap { $0["incident"]?.text } }

    private var events: [JSONValue] {
        String(decoding: writer.collected, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("data: ") else { return nil }
            return try? JSONDecoder().decode(JSONValue.self, from: Array(line.dropFirst(6).utf8))
        }
    }
}
