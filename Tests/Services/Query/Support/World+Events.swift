import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import HTTP
@testable import Query

/// An event as a third party gets it.
struct ReceivedEvent: Sendable {
    let id: UUID
    let type: String
    let request: UUID
    let series: [SampleSeries]

    init(_ json: JSONValue) throws {
        guard let id = json["id"]?.text.flatMap({ UUID($0) }), let type = json["type"]?.text,
            let request = json["request_id"]?.text.flatMap({ UUID($0) })
        else { throw NoEvent() }
        (self.id, self.type, self.request) = (id, type, request)
        series =
            try json["series"].map { try JSONDecoder().decode([SampleSeries].self, from: JSONEncoder().encode($0)) }
            ?? []
    }

    private struct NoEvent: Error {}

    var values: [Double] { series.flatMap { $0.values ?? [] } }
    var summary: String {
        ([type, request.description] + values.map { String(Int($0)) }).joined(separator: " ")
    }
}

extension World {
    struct Somebody: Sendable {
        let id: UUID
        let email: String
    }

    /// Another individual, with a number of its own.
    func addPerson(_ number: Int, types: [DataType] = [.heartRate, .position, .steps]) -> Somebody {
        let email = "person-\(number)@example.org"
        return Somebody(
            id: neighbours.addPerson(fiscalCode: "none-\(number)", email: email, types: types), email: email)
    }

    static func draft(of email: String) -> String {
        draft.replacing("\"fiscal_code\": \"\(fiscalCode)\"", with: "\"email\": \"\(email)\"")
    }

    func ask(named email: String, company: UUID? = nil) async throws -> UUID {
        try await ask(World.draft(of: email), company: company)
    }

    /// The events after a cursor, by as many pages as it takes to get so many.
    func events(
        after cursor: String, until count: Int, company: UUID? = nil
    ) async throws -> (events: [ReceivedEvent], next: String) {
        var (next, events): (String, [ReceivedEvent]) = (cursor, [])
        let deadline = Deadline.after(.patience)
        repeat {
            let wait = count == 0 ? 0 : 1000
            let page = try await asCompany(.get, "/events?cursor=\(next)&wait_ms=\(wait)", company: company)
            try #require(page.status == 200, "\(page.text)")
            events += try (page["events"]?.items ?? []).map { try ReceivedEvent($0) }
            next = try #require(page["next"]?.text)
        } while events.count < count && !deadline.hasPassed
        return (events, next)
    }

    /// Whether data of a request has become so many events, within `Duration.patience`. Call on a loop.
    func reached(events count: Int, of request: UUID) async throws -> Bool {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            let found = try await service.database.queryOne(
                "select count(*) from event where request_id = \(request) and content is not null", as: Int.self)
            if found == count { return true }
            await Task.yield()
        }
        return false
    }

    /// Whether so many streams and reads wait, within `Duration.patience`. Call on a loop.
    func reached(waiting count: Int) async -> Bool {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            let text = String(decoding: await service.context.metrics.text(), as: UTF8.self)
            if text.contains("\ntrackme_deliveries_waiting \(count)\n") { return true }
            await Task.yield()
        }
        return false
    }

    /// Whether so many samples have been permitted to leave, within `Duration.patience`. Call on a loop.
    func reached(delivered count: Int) async throws -> Bool {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            let found = try await service.database.queryOne(
                "select coalesce(sum(n), 0)::bigint from access, unnest(counts) n", as: Int.self)
            if found == count { return true }
            await Task.yield()
        }
        return false
    }

    /// What a stream has written so far.
    final class Written {
        private let stream: ByteStream
        private var bytes: [UInt8] = []

        init(_ stream: ByteStream) { self.stream = stream }

        var text: String { String(decoding: bytes, as: UTF8.self) }
        private var count: Int { text.split(separator: "\n").count { $0.hasPrefix("event: ") } }

        /// Whether so many events have come, within `Duration.patience`. Call on a loop.
        func reached(_ wanted: Int) async throws -> Bool {
            let deadline = Deadline.after(.patience)
            while count < wanted {
                var taken = ByteBuffer()
                do { _ = try await stream.read(into: &taken, deadline: deadline) } catch IOError.timedOut {
                    return false
                }
                guard taken.count > 0 else { return false }
                bytes += taken.take(taken.count)
            }
            return true
        }
    }

    /// Follows `GET /events/stream` over a socket while `body` runs.
    func streaming(_ query: String = "cursor=0", _ body: (Written) async throws -> Void) async throws {
        let token = try service.tokens.token(.thirdParty, account: company, scopes: ["requests"])
        let response = try await service.call(.get, "/query/v1/events/stream?\(query)", token: token)
        let (_, producer) = try #require(response.producer)
        let (near, far) = try ByteStream.pair(on: try #require(EventLoop.current))
        nonisolated(unsafe) let writer = HTTPBodyWriter(near, count: nil, isChunked: false, stallMax: .seconds(60))
        async let _: Void = producer(writer)
        try await body(Written(far))
        far.close()
        // The writer is cancelled, or finds its client gone.
    }
}
