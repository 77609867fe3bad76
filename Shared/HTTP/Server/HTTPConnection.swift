import Glibc
import Reactor

/// One connection: reads heads, has them answered in order, and writes the answers; those to requests that arrived
/// together leave together. While idle it holds no buffer.
///
/// An actor on the loop: handlers and stream operations inherit its isolation, so that nothing between reading a
/// request and writing its answer is queued again. (Outside an actor each return from an `async` function is, on a loop
/// that is a serial executor as well; that costs a third of the requests per second.)
actor HTTPConnection {
    private enum Phase {
        case idle, busy
    }

    /// Written answers wait for more only up to this.
    static let outputBytesMax = 64 * 1024

    let stream: ByteStream
    nonisolated let core: HTTPServerCore
    nonisolated let home: HTTPServerLoop
    nonisolated let peer: HTTPPeer
    /// The task that runs `run()`, until it has ended.
    private var task: Task<Bool, Never>?
    /// The response that goes on after that task (`sendLive`).
    var live: LiveResponse?
    /// When the handler that is running must have answered.
    var handlerDeadline = Deadline.never
    var hasExceededDeadline = false
    /// What of the current request's body is reserved at `home`, and for whom.
    struct ReservedBody {
        var bytes = 0
        var holders: [BodyMemory.Holder] = []
    }
    var reservedBody = ReservedBody()
    /// Whose share of requests in progress the current request takes from.
    var countedNetwork: [UInt8]?
    private var phase = Phase.idle
    /// For the head that is partly there; `never` before it was waited for.
    private var headDeadline = Deadline.never

    /// The loop, which `home` keeps alive.
    nonisolated let unownedExecutor: UnownedSerialExecutor

    /// `stream` is used by this connection alone until its task has ended.
    init(_ stream: ByteStream, core: HTTPServerCore, home: HTTPServerLoop) {
        self.stream = stream
        self.core = core
        self.home = home
        unownedExecutor = home.loop.asUnownedSerialExecutor()
        peer = HTTPPeer(
            address: stream.peerAddress, identity: stream.peerIdentity,
            trustedProxies: home.configuration.trustedProxies)
    }

    var limits: HTTPLimits { home.configuration.limits }
    var timeouts: HTTPServerConfiguration.Timeouts { home.configuration.timeouts }

    /// Serves requests until one side ends the connection, or a live response is to go on (`sendLive`), which is told.
    private func run() async -> Bool {
        await stream.withCancellation { await serve() }
        task = nil
        guard live == nil else { return true }
        stream.close()
        return false
    }

    private func serve() async {
        var input = ByteBuffer()
        var output: [UInt8] = []
        var parser = HTTPRequestParser(limits: limits)
        while true {
            let head: HTTPRequestHead?
            // The limits may have changed since the last request.
            parser.limits = limits
            do throws(HTTPParseError) {
                head = try input.withUnsafeBytes { (octets) throws(HTTPParseError) in try parser.head(in: octets) }
            } catch {
                await refuse(error, &output)
                break
            }
            if let head {
                input.consume(head.byteCount)
                headDeadline = .never
                guard await exchange(head, &input, &output) else { break }
                if output.count >= Self.outputBytesMax {
                    guard await flush(&output) else { break }
                }
            } else {
                if !output.isEmpty {
                    guard await flush(&output) else { break }
                }
                guard await receive(&input) else { break }
            }
        }
        home.giveBack(output)
    }

    /// Waits for bytes of a head. False when the connection is over.
    private func receive(_ input: inout ByteBuffer) async -> Bool {
        let isIdle = input.isEmpty
        if isIdle {
            guard !home.isStopping else { return false }
            phase = .idle
        } else if headDeadline == .never {
            headDeadline = .after(timeouts.head)
        }
        do throws(IOError) {
            let count = try await stream.read(into: &input, deadline: isIdle ? .after(timeouts.idle) : headDeadline)
            phase = .busy
            // A client that ends its side has no more requests; what it asked was answered above.
            return count > 0
        } catch {
            phase = .busy
            if error == .timedOut, !isIdle {
                var output: [UInt8] = []
                await refuse(HTTPParseError(.requestTimeout, "the request did not arrive in time"), &output)
            }
            return false
        }
    }

    /// Sends what is in `output` and gives its memory back. False when the client is gone or takes nothing.
    func flush(_ output: inout [UInt8]) async -> Bool {
        let bytes = output
        output = []
        do throws(IOError) {
            try await stream.write(bytes, stallMax: timeouts.writeStall)
        } catch { return false }
        home.giveBack(bytes)
        return true
    }

    /// Answers a request that is not HTTP, and closes in a way that lets the client read the answer.
    private func refuse(_ error: HTTPParseError, _ output: inout [UInt8]) async {
        let response = Problem(error).response
        response.appendHead(to: &output, .init(isHTTP10: false, isHead: false, keepsAlive: false), &home.defaults)
        if case .bytes(let bytes) = response.body { output.append(contentsOf: bytes) }
        core.metrics.recordRefusal(error.status)
        if await flush(&output) { await linger() }
    }

    /// Answers a connection beyond its network's share and ends it.
    func refuseConnection() async {
        var output: [UInt8] = []
        let response = Problem.tooMuchAtOnce.response
        response.appendHead(to: &output, .init(isHTTP10: false, isHead: false, keepsAlive: false), &home.defaults)
        if case .bytes(let bytes) = response.body { output.append(contentsOf: bytes) }
        if await flush(&output) { await linger() }
        stream.close()
    }

    /// Closing while the client still sends would reset the connection and take the answer with it (RFC 9112 §9.6): the
    /// rest is read and dropped for a short time.
    func linger() async {
        let deadline = Deadline.after(timeouts.linger)
        var dropped = 0
        do throws(IOError) {
            try stream.finishWriting()
            while dropped < 1 << 20 {
                var input = ByteBuffer()
                let count = try await stream.read(into: &input, deadline: deadline)
                if count == 0 { return }
                dropped += count
            }
        } catch {
            // The connection is over either way.
        }
    }

    // MARK: Called from outside the task, on the loop

    /// A task of its own, so that a handler's deadline can cancel it.
    func start() -> Task<Bool, Never> {
        let task = home.loop.task { await self.run() }
        self.task = task
        return task
    }

    /// The server stops: an idle connection ends.
    func stop() {
        if phase == .idle { stream.close() }
    }

    /// Cancels a handler that takes too long; one that does not heed it loses its connection.
    func enforceDeadline(_ now: Deadline) {
        guard now >= handlerDeadline else { return }
        if !hasExceededDeadline {
            hasExceededDeadline = true
            handlerDeadline = now.advanced(by: timeouts.handlerGrace)
            task?.cancel()
        } else {
            stream.close()
        }
    }
}
