import JSON
import Primitives
import Reactor
import Telemetry

/// One connection of a server. It lives on the loop that owns its socket; handlers run as tasks of that loop.
///
/// Phases only go forward: serving; leaving (goodbye was said, requests are still taken); ending (requests are no longer
/// taken, calls still answered); closed (the last answer was sent, the peer's end is awaited).
actor ServerConnection {
    private enum Phase: Comparable {
        case serving, leaving, ending, closed
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let id: UInt64
    private let caller: String
    private let service: ServedMethods
    private let limits: JSONLimits
    private var configuration: RPCServerConfiguration { service.configuration }
    private let stream: ByteStream
    private let writer: LineWriter
    private var phase = Phase.serving
    private var calls = CallsInFlight()
    private var pausedReader: UnsafeContinuation<Void, Never>?
    /// Waits until the last handler has returned.
    private var lastHandler: UnsafeContinuation<Void, Never>?
    /// When the last call ended or began.
    private var lastUse = Deadline.now()
    private var lingerEnd = Deadline.never
    private var timer: (due: Deadline, handle: EventLoop.Timer)?

    init(id: UInt64, caller: String, service: ServedMethods, stream: sending ByteStream) {
        self.id = id
        self.caller = caller
        self.service = service
        limits = ParsedFrame.limits(
            bytesMax: service.configuration.frameBytesMax, depthMax: service.configuration.depthMax)
        loop = stream.loop
        self.stream = stream
        writer = LineWriter(writeTimeout: service.configuration.writeTimeout)
    }

    /// Serves until the connection has ended and all its handlers have returned. Cancelling ends it at once.
    func run() async {
        await withTaskCancellationHandler {
            async let sending: Void = send()
            await receive()
            await sending
            abort()
            if calls.count > 0 { await withUnsafeContinuation { lastHandler = $0 } }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.abort() } }
        }
    }

    /// Says that the server stops; the connection ends once it is quiet.
    func goodbye() {
        guard phase == .serving else { return }
        writer.append { ProtocolMethod.writeGoodbye(to: &$0) }
        phase = .leaving
        lastUse = .now()
        arm()
    }

    /// Refuses the peer as such: says why and ends.
    func refuse(_ error: RPCError) {
        end(saying: error)
    }

    // MARK: Receiving

    private func receive() async {
        var buffer = ByteBuffer()
        var splitter = FrameSplitter(frameBytesMax: configuration.frameBytesMax)
        var frameBegan: Deadline?
        while phase < .closed || lingerEnd != .never {
            do throws(IOError) {
                let patience =
                    frameBegan?.advanced(by: configuration.frameTimeout)
                    ?? .after(configuration.idleTimeout)
                if try await stream.read(into: &buffer, deadline: patience) == 0 {
                    if !buffer.isEmpty, phase < .ending {
                        end(saying: RPCError(.parseError, "Parse error: the connection ended within a frame"))
                    }
                    return peerEnded()
                }
            } catch {
                guard error == .timedOut else { return abort() }
                if frameBegan != nil {
                    end(saying: RPCError(.parseError, "Parse error: a frame did not arrive whole within its time"))
                } else if calls.count == 0 {
                    end()
                }
                frameBegan = nil
                continue
            }
            let hadFrame = await takeFrames(from: &buffer, &splitter)
            if phase >= .ending { buffer = ByteBuffer() }
            frameBegan = buffer.isEmpty ? nil : hadFrame ? .now() : frameBegan ?? .now()
        }
    }

    /// Serves the whole frames that have arrived, pausing while too many answers are unread; true when there was one.
    private func takeFrames(from buffer: inout ByteBuffer, _ splitter: inout FrameSplitter) async -> Bool {
        var hadFrame = false
        while phase < .ending {
            guard writer.backlogBytes <= configuration.backlogBytesMax else {
                await withUnsafeContinuation { pausedReader = $0 }
                continue
            }
            do {
                guard let frame = try splitter.next(in: &buffer) else { break }
                hadFrame = true
                serve(frame)
            } catch {
                end(
                    saying: RPCError(
                        .invalidRequest, "Invalid Request: a frame has more than \(configuration.frameBytesMax) bytes"))
            }
        }
        return hadFrame
    }

    private func resumeReading() {
        guard let reader = pausedReader else { return }
        pausedReader = nil
        reader.resume()
    }

    private func peerEnded() {
        calls.shorten(to: .after(configuration.orphanTimeout))
        end()
        arm()
    }

    // MARK: Calls

    private func serve(_ line: [UInt8]) {
        do throws(JSONError) {
            let frame = try ParsedFrame(line, limits: limits)
            if frame.scanner.isArray {
                serve(batch: frame.scanner.elements(), of: frame)
            } else {
                serve(frame.scanner.root, of: frame, in: nil)
            }
        } catch {
            if error.kind == .limit {
                let refusal = RPCError(.invalidRequest, "Invalid Request: \(error.description)")
                answer(ParsedFrame.id(beyondLimits: line) ?? .null, .failure(refusal), in: nil)
            } else {
                // What cannot be read as JSON leaves no trust in where the next frame begins.
                end(saying: RPCError(.parseError, "Parse error: \(error.description)"))
            }
        }
    }

    private func serve(batch requests: [ParsedFrame.Value], of frame: ParsedFrame) {
        guard (1...configuration.batchCountMax).contains(requests.count) else {
            let message = "Invalid Request: a batch has 1 to \(configuration.batchCountMax) requests"
            return answer(.null, .failure(RPCError(.invalidRequest, message)), in: nil)
        }
        let batch = BatchAnswer(count: requests.count, bytesMax: configuration.answerBytesMax)
        for request in requests { serve(request, of: frame, in: batch) }
    }

    private func serve(_ object: ParsedFrame.Value, of frame: ParsedFrame, in batch: BatchAnswer?) {
        do throws(RequestEnvelope.Refusal) {
            let request = try RequestEnvelope(object, in: frame)
            if request.method == ProtocolMethod.cancel, request.id == nil {
                if let id = ProtocolMethod.cancelledID(request, in: frame) {
                    for call in calls.cancel(id: id) { complete(call, .failure(RPCError(.cancelled))) }
                }
                answer(nil, .failure(RPCError(.cancelled)), in: batch)
            } else {
                begin(request, of: frame, in: batch)
            }
        } catch {
            answer(error.id, .failure(error.error), in: batch)
        }
    }

    private func begin(_ request: RequestEnvelope, of frame: ParsedFrame, in batch: BatchAnswer?) {
        let now = Deadline.now()
        let trace = service.metrics.begin(request.trace)
        do throws(RPCError) {
            let handler = try service.router.handler(of: request.method, for: caller)
            guard calls.count < configuration.callsPerConnectionMax else {
                throw RPCError(.overloaded, "Too many calls on one connection.")
            }
            let deadline = now.advanced(by: try configuration.deadlines.budget(ofCaller: request.deadlineMilliseconds))
            try service.beginCall()
            lastUse = now
            let key = calls.insert(
                CallsInFlight.Call(
                    id: request.id, batch: batch, method: request.method, trace: trace, began: now, deadline: deadline))
            arm(deadline)
            let context = RPCContext(caller: caller, deadline: deadline, trace: trace, connection: id)
            let task = RequestScope.$current.withValue(context.scope) {
                // Runs until it first waits for something right here: what answers at once costs no turn of the loop.
                Task.immediate(executorPreference: loop) {
                    let answer = await handler(request, frame, context) { error, isAwaited in
                        service.metrics.handlerFailed(
                            request.method, for: caller, trace, error, isAwaited: isAwaited)
                    }
                    finish(key, answer)
                }
            }
            calls.setTask(task, of: key)
        } catch {
            service.metrics.ended(request.method, from: caller, trace, error.code, took: .zero)
            answer(request.id, .failure(error), in: batch)
        }
    }

    private func finish(_ key: UInt64, _ answer: Result<[UInt8], RPCError>) {
        service.endCall()
        guard let call = calls.remove(key) else { return }
        if !call.isAnswered { complete(call, answer) }
        if calls.count == 0, let waiter = lastHandler {
            lastHandler = nil
            waiter.resume()
        }
    }

    /// Answers a call, once.
    private func complete(_ call: CallsInFlight.Call, _ answer: Result<[UInt8], RPCError>) {
        lastUse = .now()
        var code: RPCError.Code?
        if case .failure(let error) = answer { code = error.code }
        service.metrics.ended(call.method, from: caller, call.trace, code, took: lastUse.since(call.began))
        self.answer(call.id, answer, in: call.batch)
        if phase == .ending, calls.unansweredCount == 0 { writer.end() }
        if phase == .leaving { arm() }
    }

    private func answer(_ id: RequestID?, _ answer: Result<[UInt8], RPCError>, in batch: BatchAnswer?) {
        guard let batch else {
            guard let id else { return }
            writer.append { line in
                ResponseEnvelope.write(id: id, answer, bytesMax: configuration.answerBytesMax, to: &line)
                line.append(UInt8(ascii: "\n"))
            }
            return
        }
        if let id { batch.add(id: id, answer) }
        if batch.completeOne(), !batch.parts.isEmpty {
            writer.append { line in
                line.append(contentsOf: batch.parts)
                line.append(contentsOf: [UInt8(ascii: "]"), UInt8(ascii: "\n")])
            }
        }
    }

    // MARK: Sending and ending

    private func send() async {
        do throws(IOError) {
            try await writer.run(on: stream) { resumeReading() }
            phase = .closed
            lingerEnd = .after(configuration.lingerTimeout)
            arm()
            try stream.finishWriting()
        } catch {
            abort()
        }
    }

    /// Takes no more requests; what runs is answered, and the connection closed after that.
    private func end(saying error: RPCError? = nil) {
        guard phase < .ending else { return }
        if let error {
            service.metrics.connectionRefused(caller, error)
            answer(.null, .failure(error), in: nil)
        }
        phase = .ending
        resumeReading()
        if calls.unansweredCount == 0 { writer.end() }
    }

    /// Nobody is there any more: cancels what runs and closes.
    private func abort() {
        phase = .closed
        lingerEnd = .never
        stream.close()
        writer.end()
        for call in calls.cancelAll() { complete(call, .failure(RPCError(.cancelled))) }
        resumeReading()
        if let timer { loop.cancel(timer.handle) }
        timer = nil
    }

    // MARK: Time

    /// Sees to it that `expire` runs by `deadline`, or when the next thing is due.
    private func arm(_ deadline: Deadline? = nil) {
        var due = deadline ?? min(calls.earliestDeadline, lingerEnd)
        if deadline == nil, phase == .leaving, calls.count == 0 {
            due = min(due, lastUse.advanced(by: configuration.goodbyeQuiet))
        }
        if let timer {
            guard due < timer.due else { return }
            loop.cancel(timer.handle)
        }
        timer = nil
        guard due != .never else { return }
        timer = (due, loop.schedule(at: due) { self.assumeIsolated { $0.expire() } })
    }

    private func expire() {
        timer = nil
        let now = Deadline.now()
        for call in calls.expire(at: now) { complete(call, .failure(RPCError(.deadline))) }
        if phase == .leaving, calls.count == 0, lastUse.advanced(by: configuration.goodbyeQuiet) <= now { end() }
        if lingerEnd <= now { return abort() }
        arm()
    }
}
