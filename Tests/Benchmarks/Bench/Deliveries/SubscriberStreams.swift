import Contracts
import HTTP
import JSON
import LoadGenerator
import Primitives
import Reactor
import Synchronization

/// Event streams of third parties, each over all of its requests, as clients hold them; on a loop of their own.
final class SubscriberStreams: Sendable {
    /// An event with data as it came.
    struct Delivered: Sendable {
        let id: UUID
        let createdAt: Timestamp
        /// When its bytes were here.
        let arrivedAt: Timestamp
        /// The JSON of the event.
        let text: String
        /// When its samples were measured.
        let measured: [Timestamp]
    }

    private struct Event: Decodable {
        let id: UUID
        let createdAt: Timestamp
        let series: [SampleSeries]
    }

    private struct State {
        var outcomes = 0
        var samples = 0
        /// The last id of each third party's stream.
        var cursors: [UUID: String] = [:]
        var fault: String?
    }

    private static let streamMax = Duration.seconds(840)
    private static let data = "data.samples"

    private let state = Mutex(State())
    private let changed = EventCounter()
    private let take: @Sendable (Delivered) -> Void

    private init(_ take: @escaping @Sendable (Delivered) -> Void) {
        self.take = take
    }

    /// Accepted requests and other outcomes so far.
    var outcomes: Int { state.withLock(\.outcomes) }
    var samples: Int { state.withLock(\.samples) }
    /// Where each third party's next stream goes on.
    var cursors: [UUID: String] { state.withLock(\.cursors) }

    /// Runs `body` while the streams are open, from `cursors` on; `take` gets the events with data.
    static func with<R: Sendable>(
        _ bed: DeliveriesBed, of thirdParties: [UUID], after cursors: [UUID: String] = [:],
        _ take: @escaping @Sendable (Delivered) -> Void, _ body: (SubscriberStreams) async throws -> R
    ) async throws -> R {
        let loops = try EventLoopGroup(count: 1)
        defer { loops.shutdown() }
        let loop = loops.loops[0]
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        configuration.connectionsPerOriginMax = max(16, thirdParties.count)
        let client = HTTPClient(on: loop, configuration: configuration)
        let streams = SubscriberStreams(take)
        streams.state.withLock { $0.cursors = cursors }
        let followed = try thirdParties.map { ($0, try streams.request($0, bed, after: cursors[$0] ?? "0")) }
        let tasks = followed.map { thirdParty, request in
            loop.task { await streams.follow(request, thirdParty, by: client) }
        }
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(streams)) } catch { outcome = .failure(error) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        client.close()
        return try outcome.get()
    }

    private func request(
        _ thirdParty: UUID, _ bed: DeliveriesBed, after cursor: String
    ) throws -> HTTPClientRequest {
        guard let url = HTTPURL("http://127.0.0.1:\(bed.port(.query))/query/v1/events/stream?cursor=\(cursor)") else {
            throw BenchError.failed("no address of a stream")
        }
        return HTTPClientRequest(
            .get, url,
            fields: ["Authorization": "Bearer \(try bed.token(of: thirdParty))", "Accept": "text/event-stream"])
    }

    private func follow(_ request: HTTPClientRequest, _ thirdParty: UUID, by client: HTTPClient) async {
        do throws(HTTPClientError) {
            let end = try await client.stream(request, deadline: .after(Self.streamMax)) {
                (head, chunks) throws(HTTPClientError) in
                guard head.status == .ok else { return "was answered \(head.status.rawValue)" }
                var parser = ServerSentEventParser(eventBytesMax: 16 << 20)
                while let chunk = try await chunks.next() {
                    let now = Timestamp.now()
                    for event in try parser.events(in: chunk) {
                        self.receive(event, at: now, of: thirdParty)
                    }
                }
                return "ended"
            }
            fail("a stream \(end)")
        } catch { fail("a stream broke off: \(error)") }
    }

    private func receive(_ event: ServerSentEventParser.Event, at now: Timestamp, of thirdParty: UUID) {
        guard event.name == Self.data else {
            state.withLock { state in
                state.outcomes += 1
                state.cursors[thirdParty] = event.id
            }
            return changed.raise()
        }
        do {
            let read = try JSONDecoder().decode(Event.self, from: Array(event.data.utf8))
            let measured = read.series.flatMap { series in (0..<series.count).map(series.time) }
            take(
                Delivered(
                    id: read.id, createdAt: read.createdAt, arrivedAt: now, text: event.data, measured: measured))
            state.withLock { state in
                state.samples += measured.count
                state.cursors[thirdParty] = event.id
            }
            changed.raise()
        } catch { fail("an event that cannot be read: \(error)") }
    }

    private func fail(_ words: String) {
        state.withLock { $0.fault = $0.fault ?? words }
        changed.raise()
    }

    /// Waits until so much has come. Errors: a stream that ends, and the end of the time.
    func wait(_ what: String, within time: Duration, until holds: (SubscriberStreams) -> Bool) async throws {
        let deadline = Deadline.after(time)
        while !holds(self) {
            let seen = changed.value
            if let fault = state.withLock(\.fault) { throw BenchError.failed(fault) }
            guard !deadline.hasPassed else {
                throw BenchError.failed("\(what): \(outcomes) outcomes and \(samples) samples came within \(time)")
            }
            if holds(self) { return }
            _ = await changed.wait(after: seen, deadline: deadline)
        }
    }
}
