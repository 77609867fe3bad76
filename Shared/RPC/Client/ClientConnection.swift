import JSON
import Reactor
import Synchronization

/// One connection to one address of a service, on one loop. Calls may be made from the start: they leave as soon as it
/// is connected, and fail as never sent when it cannot be.
actor ClientConnection {
    private enum State {
        case connecting
        case open
        /// The server says that it stops: what is pending is still answered.
        case leaving
        case closed
    }

    /// How a connection came to its end.
    enum End: Sendable, Equatable {
        /// Idle, told to, or after the server's goodbye.
        case orderly
        /// Not made, or lost; `wasUseful` when the server had answered a call, `isRefused` when it has said that it takes
        /// nothing from this client.
        case failed(wasUseful: Bool, isRefused: Bool)
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let configuration: RPCClientConfiguration
    private let endpoint: Endpoint
    private let tls: TLSContext?
    private let metrics: RPCClientMetrics
    private let writer: LineWriter
    private let limits: JSONLimits
    private var state = State.connecting
    private var stream: ByteStream?
    private var end = End.orderly
    private nonisolated let lastID = Atomic<Int64>(0)
    private var pending = PendingCalls()
    /// Calls that wait for the connection, and the bytes of their requests.
    private var waiting: [(id: Int64, call: OutgoingCall)] = []
    private var waitingBytes = 0
    private var lastReceived: Deadline?
    private var wasUseful = false
    /// The server said that it takes nothing from this client.
    private var isRefused = false
    private var lastUse = Deadline.now()
    /// Calls in a row that ran out of time without a byte from the server since they began.
    private var silentCalls = 0
    private var timer: (due: Deadline, handle: EventLoop.Timer)?
    /// What pending calls are told when the connection ends.
    private var reason = RPCError(.unavailable, "The connection was lost.")

    /// A server that has let this many calls in a row pass without a sign of life is given up.
    private static let silentCallsMax = 3

    init(
        to endpoint: Endpoint, configuration: RPCClientConfiguration, tls: TLSContext?, loop: EventLoop,
        metrics: RPCClientMetrics
    ) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.tls = tls
        self.loop = loop
        self.metrics = metrics
        writer = LineWriter(writeTimeout: configuration.writeTimeout)
        limits = ParsedFrame.limits(bytesMax: configuration.answerBytesMax, depthMax: configuration.depthMax)
    }

    /// Whether new calls may be made on it.
    var takesCalls: Bool { state == .connecting || state == .open }

    /// Connects and serves until the end; `connected` is called in between.
    func run(connected: @Sendable () async -> Void) async -> End {
        do throws(IOError) {
            try open(try await connect())
        } catch {
            if state == .connecting {
                metrics.connectFailed(endpoint, error)
            }
            reason = RPCError(.unavailable, "The service \(configuration.service) cannot be reached.")
            finish(.failed(wasUseful: false, isRefused: false))
            return end
        }
        metrics.opened()
        defer { metrics.closed() }
        async let sending: Void = send()
        await connected()
        await receive()
        await sending
        return end
    }

    /// Ends the connection; pending calls fail.
    func close() {
        reason = RPCError(.unavailable, "The client was closed.")
        finish(.orderly)
    }

    // MARK: Calls

    /// Sends a call and waits for its answer, until its deadline. From any thread; on the loop it costs no hop.
    nonisolated func exchange(_ call: OutgoingCall) async -> Result<Reply, CallFailure> {
        // Never used twice on a connection, so that a late answer meets no other call.
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                if loop.isCurrent {
                    assumeIsolated { $0.begin(id, call, waiter) }
                } else {
                    loop.execute { self.assumeIsolated { $0.begin(id, call, waiter) } }
                    // A cancellation that came before the line above found nothing to cancel.
                    if Task.isCancelled { cancelSoon(id) }
                }
            }
        } onCancel: {
            cancelSoon(id)
        }
    }

    private func begin(_ id: Int64, _ call: OutgoingCall, _ waiter: PendingCalls.Completion) {
        guard takesCalls else {
            return waiter.resume(returning: .failure(CallFailure(error: reason, wasSent: false)))
        }
        let hasPlace =
            call.isLongPoll
            ? pending.longPollCount < configuration.longPollsPerConnectionMax
            : pending.count - pending.longPollCount < configuration.callsPerConnectionMax
        guard hasPlace, writer.backlogBytes + waitingBytes + call.frameBytesMax <= configuration.backlogBytesMax else {
            let error = RPCError(.overloaded, "Too many calls are under way.")
            return waiter.resume(returning: .failure(CallFailure(error: error, wasSent: false)))
        }
        lastUse = .now()
        pending.insert(id, call, began: lastUse, complete: waiter)
        arm(call.deadline)
        if state == .connecting {
            waiting.append((id, call))
            waitingBytes += call.frameBytesMax
        } else {
            writer.append { call.write(id: id, at: lastUse, to: &$0) }
        }
    }

    private nonisolated func cancelSoon(_ id: Int64) {
        loop.execute { self.assumeIsolated { $0.cancel(id) } }
    }

    private func cancel(_ id: Int64) {
        guard let waiter = pending.remove(id) else { return }
        let wasSent = state != .connecting
        if wasSent { writer.append { ProtocolMethod.writeCancel(id: id, to: &$0) } }
        waiter.resume(returning: .failure(CallFailure(error: RPCError(.cancelled), wasSent: wasSent)))
        finishIfLeft()
    }

    // MARK: The connection

    private func connect() async throws(IOError) -> ByteStream {
        let deadline = Deadline.after(configuration.connectTimeout)
        let addresses = try await endpoint.resolve(deadline: deadline)
        guard tls != nil || addresses.allSatisfy(\.isLoopback) else {
            throw .limit("RPC without TLS is for loopback only, not \(endpoint)")
        }
        return try await ByteStream.connect(
            toFirstOf: addresses, tls: tls, serverName: configuration.service, keepAlive: .prompt, deadline: deadline)
    }

    private func open(_ stream: ByteStream) throws(IOError) {
        guard state == .connecting else {
            stream.close()
            throw .closed
        }
        guard tls == nil || stream.peerIdentity?.names.contains(configuration.service) == true else {
            stream.close()
            throw .tls("the certificate is not \(configuration.service)'s")
        }
        self.stream = stream
        state = .open
        for (id, call) in waiting where pending.contains(id) {
            writer.append { call.write(id: id, at: .now(), to: &$0) }
        }
        waiting = []
        waitingBytes = 0
        arm()
    }

    private func send() async {
        guard let stream else { return }
        do throws(IOError) {
            try await writer.run(on: stream) {}
        } catch {
            finish(failure)
        }
    }

    private func receive() async {
        guard let stream else { return }
        var buffer = ByteBuffer()
        var splitter = FrameSplitter(frameBytesMax: configuration.answerBytesMax)
        while state != .closed {
            do {
                guard try await stream.read(into: &buffer) > 0 else { break }
                lastReceived = .now()
                silentCalls = 0
                while let frame = try splitter.next(in: &buffer) { try handle(frame) }
            } catch {
                // The socket failed, or what came is not an answer: either way nothing more can be had from it.
                break
            }
        }
        if pending.count > 0 {
            metrics.connectionLost(endpoint, pendingCalls: pending.count)
        }
        finish(pending.count == 0 ? quietEnd : failure)
    }

    private func handle(_ line: [UInt8]) throws(ResponseEnvelope.Malformed) {
        let frame: ParsedFrame
        do throws(JSONError) {
            frame = try ParsedFrame(line, limits: limits)
        } catch {
            // Which call it answers can still be read, and the next line is whole: the other calls go on.
            guard error.kind == .limit, case .integer(let id)? = ParsedFrame.id(beyondLimits: line) else {
                throw ResponseEnvelope.Malformed()
            }
            let failure = RPCError(.internal, "The answer is beyond the limits: \(error.description)")
            pending.remove(id)?.resume(returning: .failure(CallFailure(error: failure, wasSent: true)))
            return finishIfLeft()
        }
        switch try ResponseEnvelope(frame) {
        case .result(let id, let value):
            wasUseful = true
            pending.remove(id)?.resume(returning: .success(Reply(value: value, frame: frame)))
        case .error(let id, let error):
            wasUseful = true
            pending.remove(id)?.resume(returning: .failure(CallFailure(error: error, wasSent: true)))
        case .connectionError(let error):
            // What the server still answers is taken; it closes when it has nothing more to say.
            reason = error
            isRefused = true
            state = .leaving
        case .goodbye: state = .leaving
        case .unknownNotification: break
        }
        finishIfLeft()
    }

    private func finishIfLeft() {
        if state == .leaving, pending.count == 0 { finish(quietEnd) }
    }

    /// The end of a connection without calls.
    private var quietEnd: End { isRefused ? failure : .orderly }
    private var failure: End { .failed(wasUseful: wasUseful, isRefused: isRefused) }

    /// Ends the connection, once, and with it all pending calls.
    private func finish(_ end: End) {
        guard state != .closed else { return }
        let wasSent = state != .connecting
        state = .closed
        self.end = end
        stream?.close()
        writer.end()
        if let timer { loop.cancel(timer.handle) }
        timer = nil
        for waiter in pending.removeAll() {
            waiter.resume(returning: .failure(CallFailure(error: reason, wasSent: wasSent)))
        }
    }

    // MARK: Time

    /// Sees to it that `expire` runs by `deadline`, or when the next thing is due.
    private func arm(_ deadline: Deadline? = nil) {
        var due = deadline ?? pending.earliestDeadline
        if pending.count == 0 { due = min(due, lastUse.advanced(by: configuration.idleTimeout)) }
        if let timer {
            guard due < timer.due else { return }
            loop.cancel(timer.handle)
        }
        timer = (due, loop.schedule(at: due) { self.assumeIsolated { $0.expire() } })
    }

    private func expire() {
        timer = nil
        let now = Deadline.now()
        let wasSent = state != .connecting
        for (waiter, began) in pending.removeExpired(at: now) {
            if wasSent, lastReceived.map({ $0 < began }) ?? true { silentCalls += 1 }
            waiter.resume(returning: .failure(CallFailure(error: RPCError(.deadline), wasSent: wasSent)))
        }
        finishIfLeft()
        if silentCalls >= Self.silentCallsMax { finish(failure) }
        if pending.count == 0, lastUse.advanced(by: configuration.idleTimeout) <= now { finish(.orderly) }
        if state != .closed { arm() }
    }
}
