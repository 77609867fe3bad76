import Reactor

/// One request and its answer.
extension HTTPConnection {
    /// Whether the connection can be used for another request afterwards.
    func exchange(_ head: HTTPRequestHead, _ input: inout ByteBuffer, _ output: inout [UInt8]) async -> Bool {
        let started = Deadline.now()
        let match = core.router.match(head)
        var request = HTTPRequest(
            head: head, body: .buffered([]), peer: peer, trace: core.metrics.begin(head, from: peer),
            serverEnd: core.end)
        var route: HTTPRoute?
        var early: HTTPResponse?
        var admission: HTTPAdmission?
        if case .route(let found, let parameters) = match {
            route = found
            request.pathParameters = parameters
            switch await verdict(on: &request, found, at: started) {
            case .admitted(let admitted): admission = admitted
            case .refused(let response): early = response
            }
        } else {
            early = core.router.refusal(of: request, match)
        }

        var source: HTTPBodySource?
        // What is left of a body that was not read makes the connection useless.
        var isBodyLeft = false
        // The handler's time begins when its body is there: the sender's pace has a limit of its own.
        var ready = started
        if head.hasBody {
            if let route, let admission {
                switch await takeBody(request, route, admission, &input, &output) {
                case .bytes(let bytes): request.body = .buffered(bytes)
                case .source(let taken):
                    source = taken
                    request.body = .streaming(taken)
                case .refused(let problem):
                    early = core.router.response(.failure(problem), to: request)
                    isBodyLeft = true
                case .gone: return false
                }
                ready = .now()
            } else {
                isBodyLeft = await !dropBody(head, &input, &output)
            }
        }
        defer { if live == nil { releaseBody() } }

        let response: HTTPResponse
        if let early {
            response = early
        } else {
            let outcome = await outcome(of: &request, route, admission, at: ready)
            response = core.router.response(outcome, to: request).coded(for: request)
        }

        var keepsAlive = head.keepsAlive && !isBodyLeft && !hasExceededDeadline && !home.isLeaving
        var mustLinger = isBodyLeft
        var requestBodyBytes = request.bytes.count
        if let source {
            source.end()
            input = source.input
            requestBodyBytes = source.byteCount
            if !source.isComplete { (keepsAlive, mustLinger) = (false, true) }
        }
        let framing = framing(response, request, keepsAlive: keepsAlive)
        let sent: Sent
        if hasExceededDeadline {
            // This task is cancelled; the answer is not.
            let written = output
            output = []
            sent = await home.loop.task { [request] in
                await self.sendApart(response, to: request, framing, after: written)
            }.value
        } else if let short = write(response, framing, &output) {
            sent = short
        } else if case .live(let producer) = response.body {
            if await flush(&output) {
                live = LiveResponse(
                    producer: producer, framing: framing, request: request, route: route?.pattern,
                    status: response.status, started: started, requestBodyBytes: requestBodyBytes,
                    mustLinger: mustLinger)
                return false
            }
            sent = Sent(keepsAlive: false, failure: Self.clientGone)
        } else {
            sent = await sendLong(response, to: request, framing, &output)
        }
        core.metrics.record(
            HTTPExchange(
                request: request, route: route?.pattern, status: response.status,
                duration: Deadline.now().since(started), requestBodyBytes: requestBodyBytes,
                responseBodyBytes: sent.byteCount, failure: sent.failure))
        if sent.keepsAlive { return true }
        guard sent.failure == nil else { return false }
        let isFlushed = output.isEmpty ? true : await flush(&output)
        if isFlushed, mustLinger { await linger() }
        return false
    }

    /// What the route's gate says on the head alone.
    private func verdict(
        on request: inout HTTPRequest, _ route: HTTPRoute, at now: Deadline
    ) async -> HTTPRouter.Verdict {
        guard case .gate = route.answering else { return await core.router.verdict(on: request, route) }
        if let problem = begin(&request, route, at: now) {
            return .refused(core.router.response(.failure(problem), to: request))
        }
        let verdict = await core.router.verdict(on: request, route)
        end()
        guard hasExceededDeadline else { return verdict }
        return .refused(core.router.response(.failure(.deadlineExceeded), to: request))
    }

    /// What the handler makes of a request that was let through.
    private func outcome(
        of request: inout HTTPRequest, _ route: HTTPRoute?, _ admission: HTTPAdmission?, at now: Deadline
    ) async -> Result<HTTPResponse, Problem> {
        guard let admission else { return .failure(.notFound) }
        if let problem = begin(&request, route, at: now) { return .failure(problem) }
        let outcome = await core.router.outcome(of: request, admission)
        end()
        return hasExceededDeadline && !Self.stands(outcome) ? .failure(.deadlineExceeded) : outcome
    }

    /// Counts a request that a gate or handler works on, and starts its time. What is answered instead when there are too
    /// many.
    private func begin(_ request: inout HTTPRequest, _ route: HTTPRoute?, at now: Deadline) -> Problem? {
        guard home.requestsInFlight < home.requestsInFlightMax else { return .overloaded }
        countedNetwork = request.countedNetwork
        guard home.requestShares.enter(countedNetwork) else { return .tooMuchAtOnce }
        home.requestsInFlight += 1
        request.deadline = limit(of: route).map { now.advanced(by: $0) } ?? .never
        handlerDeadline = request.deadline
        return nil
    }

    private func end() {
        handlerDeadline = .never
        home.requestShares.leave(countedNetwork)
        home.requestsInFlight -= 1
    }

    /// Whether what a handler made after its deadline is sent: the client must not be told that what was done was not. A
    /// body that is still to be made would be made by a cancelled task.
    private static func stands(_ outcome: Result<HTTPResponse, Problem>) -> Bool {
        switch outcome {
        case .failure(let problem): return problem.status.rawValue < 500
        case .success(let response):
            switch response.body {
            case .empty, .bytes: return true
            case .stream, .live: return false
            }
        }
    }

    private func limit(of route: HTTPRoute?) -> Duration? {
        guard let route else { return nil }
        if let own = route.deadline { return own }
        if case .streaming = route.body { return nil }
        return timeouts.handler
    }

    // MARK: The response

    private static let clientGone = "the client is gone"

    struct Sent {
        var keepsAlive: Bool
        var byteCount = 0
        var failure: String?
    }

    /// Puts the head into `output`, and a short body with it. `nil` when a long body is left to send.
    private func write(
        _ response: HTTPResponse, _ framing: ResponseFraming, _ output: inout [UInt8]
    ) -> Sent? {
        if output.isEmpty { output = home.takeBuffer() }
        response.appendHead(to: &output, framing, &home.defaults)
        if framing.isHead || response.status.isWithoutBody { return Sent(keepsAlive: framing.keepsAlive) }
        switch response.body {
        case .empty: return Sent(keepsAlive: framing.keepsAlive)
        case .bytes(let bytes) where bytes.count <= Self.outputBytesMax:
            output.append(contentsOf: bytes)
            return Sent(keepsAlive: framing.keepsAlive, byteCount: bytes.count)
        case .bytes, .stream, .live: return nil
        }
    }

    private func sendLong(
        _ response: HTTPResponse, to request: HTTPRequest, _ framing: ResponseFraming, _ output: inout [UInt8]
    ) async -> Sent {
        guard await flush(&output) else { return Sent(keepsAlive: false, failure: Self.clientGone) }
        switch response.body {
        // Those without a body are short, and live ones go on elsewhere.
        case .empty, .live: return Sent(keepsAlive: framing.keepsAlive)
        case .bytes(let bytes):
            do throws(IOError) {
                try await stream.write(bytes, stallMax: timeouts.writeStall)
            } catch { return Sent(keepsAlive: false, failure: error.description) }
            return Sent(keepsAlive: framing.keepsAlive, byteCount: bytes.count)
        case .stream(let count, let producer):
            let encoder = response.isGzipStream ? GzipEncoder() : nil
            return await stream(count, producer, framing, encoder)
        }
    }

    /// Sends `written` and a response that is the last on its connection.
    private func sendApart(
        _ response: HTTPResponse, to request: HTTPRequest, _ framing: ResponseFraming, after written: [UInt8]
    ) async -> Sent {
        var output = written
        if let short = write(response, framing, &output) {
            let isFlushed = await flush(&output)
            return isFlushed ? short : Sent(keepsAlive: false, failure: Self.clientGone)
        }
        return await sendLong(response, to: request, framing, &output)
    }

    private func framing(_ response: HTTPResponse, _ request: HTTPRequest, keepsAlive: Bool) -> ResponseFraming {
        let isHTTP10 = request.head.minorVersion == 0
        let endsWithConnection =
            switch response.body {
            case .live: true
            case .stream(nil, _): isHTTP10
            case .empty, .bytes, .stream: false
            }
        return ResponseFraming(
            isHTTP10: isHTTP10, isHead: request.method == .head, keepsAlive: keepsAlive && !endsWithConnection)
    }

    func stream(
        _ count: Int?, _ producer: HTTPResponse.Producer, _ framing: ResponseFraming, _ encoder: GzipEncoder? = nil
    ) async -> Sent {
        let writer = HTTPBodyWriter(
            stream, count: count, isChunked: count == nil && framing.canChunk, stallMax: timeouts.writeStall,
            encoder: encoder)
        do {
            try await producer(writer)
            try await writer.finish()
            return Sent(keepsAlive: framing.keepsAlive, byteCount: writer.byteCount)
        } catch {
            return Sent(keepsAlive: false, byteCount: writer.byteCount, failure: "\(error)")
        }
    }
}
