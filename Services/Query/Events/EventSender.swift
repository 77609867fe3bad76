import Contracts
import HTTP
import Primitives
import Reactor
import Service

/// Hands events over to a client that is connected.
struct EventSender: Sendable {
    static let access = Access.thirdParty(.requests)

    let authenticator: Authenticator
    let permits: EventPermits
    let departures: Departures
    let clock: any WallClock

    /// A delivery that checks the token again before each write. HEAD is answered with the head alone: nothing leaves.
    func delivery(_ way: EventDelivery.Way, _ request: HTTPRequest, to account: UUID) -> EventDelivery {
        let authenticator = authenticator
        return EventDelivery(way, to: account, at: clock.now(), carriesData: request.method != .head) {
            _ = try await authenticator.require(request, Self.access)
        }
    }

    /// An answer in one piece, with what was permitted.
    func answer(
        _ body: [UInt8], of events: [Event], on delivery: EventDelivery, until lease: Deadline
    ) -> HTTPResponse {
        guard events.contains(where: \.kind.isData) else {
            return HTTPResponse(.ok, contentType: .json, body: .bytes(body))
        }
        return .stream(.json, count: body.count) { writer in
            try await write(body, of: events, to: writer, on: delivery, until: lease)
        }
    }

    /// Writes what was permitted. The permission is renewed while a slow client reads; a consent that ends or a revoked token
    /// breaks the connection off. What the operating system has taken over counts as delivered.
    func write(
        _ bytes: [UInt8], of events: [Event], to output: HTTPBodyWriter, on delivery: EventDelivery,
        until lease: Deadline
    ) async throws {
        // Used by the one task that writes, on the connection's loop; the caller waits for that task.
        nonisolated(unsafe) let output = output
        let permits = permits
        try await Lease.hold(until: lease) {
            try await permits.renew(events, on: delivery)
        } _: { _ in
            try await output.write(bytes)
            try await output.flush()
        }
        departures.note(events)
    }
}
