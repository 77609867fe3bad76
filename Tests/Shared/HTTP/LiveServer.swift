import HTTP
import JSON
import Reactor
import Synchronization
import Telemetry

/// A server on a free port of this machine, for the time of one test.
struct LiveServer: Sendable {
    let server: HTTPServer
    let loops: EventLoopGroup

    var port: UInt16 { server.port }

    func url(_ target: String) throws -> HTTPURL {
        guard let url = HTTPURL("http://127.0.0.1:\(port)\(target)") else {
            throw HTTPClientError.invalidRequest(target)
        }
        return url
    }

    /// A client on the server's loop.
    func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        change(&configuration)
        return HTTPClient(on: loops.loops[0], configuration: configuration)
    }

    func connect() async throws(IOError) -> RawConnection {
        RawConnection(
            try await ByteStream.connect(to: Endpoint(host: "127.0.0.1", port: port), deadline: .after(.seconds(5))))
    }

    static func with<T: Sendable>(
        _ router: HTTPRouter, _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        loops count: Int = 1, observer: Observer = .silent,
        _ body: @escaping @Sendable (LiveServer) async throws -> T
    ) async throws -> T {
        try await EventLoopGroup.withLoops(count) { loops in
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: router, configuration: configuration, loops: loops,
                observer: observer)
            let live = LiveServer(server: server, loops: loops)
            let result: Result<T, any Error>
            do { result = .success(try await body(live)) } catch { result = .failure(error) }
            await server.shutdown(grace: .seconds(2))
            return try result.get()
        }
    }
}

/// Raw bytes to and from a server.
final class RawConnection {
    let stream: ByteStream
    private var input = ByteBuffer()

    init(_ stream: ByteStream) {
        self.stream = stream
    }

    func send(_ text: String) async throws(IOError) {
        try await stream.write(Array(text.utf8), deadline: .after(.seconds(5)))
    }

    private var received: String { input.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    /// Everything until the server closes.
    func receiveAll() async throws(IOError) -> String {
        while try await stream.read(into: &input, deadline: .after(.seconds(5))) > 0 {}
        return received
    }

    /// What has arrived once `text` is in it.
    func receive(until text: String) async throws(IOError) -> String {
        while !received.contains(text) {
            guard try await stream.read(into: &input, deadline: .after(.seconds(5))) > 0 else { throw .closed }
        }
        let all = received
        input.consume(input.count)
        return all
    }
}

/// Values that a server's handlers leave for the test.
final class Notes<T: Sendable>: Sendable {
    private let state = Mutex<[T]>([])
    private let signal = EventCounter()

    var all: [T] { state.withLock { $0 } }

    func add(_ value: T) {
        state.withLock { $0.append(value) }
        signal.raise()
    }

    /// Waits until there are `count`.
    func wait(for count: Int) async -> [T] {
        let deadline = Deadline.after(.seconds(5))
        var seen: UInt64 = 0
        while all.count < count, !deadline.hasPassed { seen = await signal.wait(after: seen, deadline: deadline) }
        return all
    }
}

/// The lines that a server writes about its answers.
final class AccessLog: LogSink {
    private let lines = Notes<JSONValue>()

    var observer: Observer { Observer(log: Log(service: "test", level: .debug, sink: self)) }

    func write(_ line: [UInt8]) {
        if let value = try? JSONDecoder().decode(JSONValue.self, from: line) { lines.add(value) }
    }

    /// Waits until there are `count`; their fields, with the trace among them.
    func wait(for count: Int) async -> [JSONObject] {
        await lines.wait(for: count).map { line in
            guard case .object(var fields)? = line["fields"] else { return [:] }
            fields["trace"] = line["trace"] ?? .null
            return fields
        }
    }
}
