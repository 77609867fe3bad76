import Reactor

/// One request and its answer.
extension HTTPConnection {
    /// Whether the connection can be used for another request afterwards.
    func exchange(_ head: HTTPRequestHead, _ input: inout ByteBuffer, _ output: inout [UInt8]) async -> Bool {
        let started = Deadline.now()
        // The handler's time begins when its body is there: the sender's pace has a limit of its own.
        var ready = started
        let match = core.router.match(head)
        var request = HTTPRequest(
            head: head, body: .buffered([]), peer: peer, trace: core.metrics.begin(head, from: peer))
        var route: HTTPRoute?
        if case .route(let found, _) = match { route = found }

        var source: HTTPBodySource?
        var early: HTTPResponse?
        if head.hasBody {
            switch await takeBody(head, route, &input, &output) {
            case .bytes(let bytes): request.body = .buffered(bytes)
            case .source(let taken):
                source = taken
                request.body = .streaming(taken)
            case .refused(let response): early = response
            case .gone: return false
            }
            ready = .now()
        }
        defer { releaseBody() }
        let isBodyLeft = early != nil

        var response: HTTPResponse
        if let early {
            response = early
        } else if home.requestsInFlight >= home.requestsInFlightMax {
            response = Problem.overloaded.response(request.trace)
        } else {
            home.requestsInFlight += 1
            if let limit = limit(of: route) { request.deadline = ready.advanced(by: limit) }
            handlerDeadline = request.deadline
            response = await core.router.respond(to: request, match)
            handlerDeadline = .never
            home.requestsInFlight -= 1
            if hasExceededDeadline { response = Problem.deadlineExceeded.response(request.trace) }
        }

        var keepsAlive = head.keepsAlive && !isBodyLeft && !hasExceededDeadline && !home.isStopping
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
        if let short = write(response, framing, &output) {
            sent = short
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

    private func limit(of route: HTTPRoute?) -> Duration? {
        guard let route else { return nil }
        if let own = route.deadline { return own }
        if case .streaming = route.body { return nil }
        return timeouts.handler
    }

    // MARK: The request's body

    private enum TakenBody {
        case bytes([UInt8])
        case source(HTTPBodySource)
        case refused(HTTPResponse)
        case gone
    }

    private func takeBody(
        _ head: HTTPRequestHead, _ route: HTTPRoute?, _ input: inout ByteBuffer, _ output: inout [UInt8]
    ) async -> TakenBody {
        if !output.isEmpty {
            guard await flush(&output) else { return .gone }
        }
        let limits = core.configuration.limits
        var isStreamed = false
        if case .streaming = route?.body { isStreamed = true }
        var receiver = BodyReceiver(stream, timeouts, waitMax: isStreamed ? nil : timeouts.bufferedBodyMax)
        do throws(Problem) {
            var decoder: BodyDecoder
            let bytesMax: Int
            switch route?.body {
            case .streaming(let own): bytesMax = own
            case .buffered(let own): bytesMax = own ?? limits.bodyBytesMax
            case nil: bytesMax = limits.bodyBytesMax
            }
            do throws(HTTPParseError) {
                decoder = try BodyDecoder(head, limits: limits, bytesMax: bytesMax)
            } catch { throw Problem(error) }
            if isStreamed {
                let source = HTTPBodySource(
                    receiver, decoder: decoder, input: input, mustContinue: head.expectsContinue)
                input = ByteBuffer()
                return .source(source)
            }
            var bytes: [UInt8] = []
            var mustContinue = head.expectsContinue
            while true {
                do throws(HTTPParseError) { try decoder.decode(&input, into: &bytes) } catch { throw Problem(error) }
                if decoder.isDone { return .bytes(bytes) }
                if mustContinue {
                    // Nobody would take the body: the final answer comes at once, in place of the invitation.
                    guard route != nil else {
                        let request = HTTPRequest(head: head, body: .buffered([]), peer: peer)
                        return .refused(await core.router.handle(request))
                    }
                    mustContinue = false
                    try await receiver.sendContinue()
                }
                try await receiver.read(into: &input, byteCount: decoder.byteCount)
                try reserveBody(decoder.byteCount + input.count)
            }
        } catch {
            releaseBody()
            return error.code == BodyReceiver.incomplete.code ? .gone : .refused(error.response)
        }
    }

    /// Sees to it that the bytes of a body that are held beyond the free ones are reserved. Errors: `overloaded`.
    private func reserveBody(_ bytes: Int) throws(Problem) {
        let missing = bytes - HTTPServerConfiguration.freeBodyBytes - reservedBodyBytes
        guard missing > 0 else { return }
        guard home.bodyMemory.reserve(missing) else { throw .overloaded }
        reservedBodyBytes += missing
    }

    private func releaseBody() {
        guard reservedBodyBytes > 0 else { return }
        home.bodyMemory.release(reservedBodyBytes)
        reservedBodyBytes = 0
    }

    // MARK: The response

    private struct Sent {
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
        case .bytes, .stream, .events, .live: return nil
        }
    }

    private func sendLong(
        _ response: HTTPResponse, to request: HTTPRequest, _ framing: ResponseFraming, _ output: inout [UInt8]
    ) async -> Sent {
        guard await flush(&output) else { return Sent(keepsAlive: false, failure: "the client is gone") }
        switch response.body {
        case .empty: return Sent(keepsAlive: framing.keepsAlive)
        case .bytes(let bytes):
            do throws(IOError) {
                try await stream.write(bytes, stallMax: timeouts.writeStall)
            } catch { return Sent(keepsAlive: false, failure: error.description) }
            return Sent(keepsAlive: framing.keepsAlive, byteCount: bytes.count)
        case .stream(let count, let producer): return await stream(count, producer, framing)
        case .events(let limits, let producer):
            return await sendEvents(limits, producer, lastEventID: request.field("last-event-id"), framing)
        case .live(let producer): return await sendLive(producer, framing)
        }
    }

    private func framing(_ response: HTTPResponse, _ request: HTTPRequest, keepsAlive: Bool) -> ResponseFraming {
        let isHTTP10 = request.head.minorVersion == 0
        let endsWithConnection =
            switch response.body {
            case .events, .live: true
            case .stream(nil, _): isHTTP10
            case .empty, .bytes, .stream: false
            }
        return ResponseFraming(
            isHTTP10: isHTTP10, isHead: request.method == .head, keepsAlive: keepsAlive && !endsWithConnection)
    }

    private func stream(_ count: Int?, _ producer: HTTPResponse.Producer, _ framing: ResponseFraming) async -> Sent {
        let writer = HTTPBodyWriter(
            stream, count: count, isChunked: count == nil && framing.canChunk, stallMax: timeouts.writeStall)
        do {
            try await producer(writer)
            try await writer.finish()
            return Sent(keepsAlive: framing.keepsAlive, byteCount: writer.byteCount)
        } catch {
            return Sent(keepsAlive: false, byteCount: writer.byteCount, failure: "\(error)")
        }
    }

    /// Until the producer ends, or the client goes.
    private func sendLive(_ producer: @escaping HTTPResponse.Producer, _ framing: ResponseFraming) async -> Sent {
        await withTaskGroup(of: Sent?.self) { group in
            group.addTask { await self.stream(nil, producer, framing) }
            group.addTask {
                await self.waitForEnd()
                return nil
            }
            var sent: Sent?
            for await outcome in group {
                sent = sent ?? outcome
                group.cancelAll()
            }
            return sent ?? Sent(keepsAlive: false)
        }
    }

    /// Three things at once: the producer, the writing, and a look-out for the client's end.
    private func sendEvents(
        _ limits: ServerSentEvents.Limits, _ producer: @escaping HTTPResponse.EventProducer, lastEventID: String?,
        _ framing: ResponseFraming
    ) async -> Sent {
        let events = ServerSentEvents(limits: limits, lastEventID: lastEventID) { [weak self] in
            self?.closeSoon()
        }
        self.events = events
        defer { self.events = nil }
        if home.isStopping { events.end() }
        let writer = HTTPBodyWriter(stream, count: nil, isChunked: framing.canChunk, stallMax: timeouts.writeStall)
        return await withTaskGroup(of: String?.self) { group in
            group.addTask {
                await self.waitForEnd()
                events.abort()
                return nil
            }
            group.addTask {
                defer { events.end() }
                do { try await producer(events) } catch { return "\(error)" }
                return nil
            }
            var failure: String?
            do throws(IOError) {
                try await events.drain(into: writer)
                try await writer.finish()
            } catch { failure = "\(error)" }
            events.abort()
            group.cancelAll()
            for await outcome in group { failure = failure ?? outcome }
            return Sent(keepsAlive: false, byteCount: writer.byteCount, failure: failure)
        }
    }

    /// Returns when the client has gone, or the task is cancelled; what it sends meanwhile is dropped.
    private func waitForEnd() async {
        var dropped = 0
        do throws(IOError) {
            while dropped < Self.outputBytesMax {
                var input = ByteBuffer()
                let count = try await stream.read(into: &input)
                guard count > 0 else { break }
                dropped += count
            }
        } catch {
            // Cancelled at the end of the events, or the connection is broken: both are the end.
        }
    }
}
