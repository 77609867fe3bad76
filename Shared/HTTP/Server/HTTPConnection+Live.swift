import Reactor

/// A response whose body goes on until its producer ends or the client goes.
final class LiveResponse {
    let producer: HTTPResponse.Producer
    let framing: ResponseFraming
    let request: HTTPRequest
    let route: String?
    let status: HTTPStatus
    let started: Deadline
    let requestBodyBytes: Int
    /// Whether the client may still be sending its request.
    let mustLinger: Bool

    init(
        producer: @escaping HTTPResponse.Producer, framing: ResponseFraming, request: HTTPRequest, route: String?,
        status: HTTPStatus, started: Deadline, requestBodyBytes: Int, mustLinger: Bool
    ) {
        self.producer = producer
        self.framing = framing
        self.request = request
        self.route = route
        self.status = status
        self.started = started
        self.requestBodyBytes = requestBodyBytes
        self.mustLinger = mustLinger
    }

    /// Made here and not within the task that waits, which would hold room for all of it.
    @inline(never)
    fileprivate func exchange(_ sent: HTTPConnection.Sent) -> HTTPExchange {
        HTTPExchange(
            request: request, route: route, status: status, duration: Deadline.now().since(started),
            requestBodyBytes: requestBodyBytes, responseBodyBytes: sent.byteCount, failure: sent.failure)
    }
}

/// Streams that stay open, many of them at once. A task keeps until its end what its deepest call has needed; so they are not sent
/// by the task that has read the request and made the response, which has ended when the body begins.
extension HTTPConnection {
    /// Sends the body of the live response, whose head was sent, and closes the connection.
    func sendLive() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.produce() }
            await waitForEnd()
            group.cancelAll()
        }
        live = nil
        releaseBody()
    }

    private func produce() async {
        defer { stream.close() }
        guard let live else { return }
        let sent = await stream(nil, live.producer, live.framing)
        core.metrics.record(live.exchange(sent))
        guard live.mustLinger, sent.failure == nil else { return }
        do throws(IOError) {
            // What the client still sends is dropped below.
            try stream.finishWriting()
            try await home.loop.sleep(for: timeouts.linger)
        } catch {
            // The connection is over either way.
        }
    }

    /// Returns when the client has gone, the connection is closed, or the task is cancelled; what the client sends meanwhile is
    /// dropped.
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
            // Cancelled or closed, or the connection is broken: all are the end.
        }
    }
}
