import HTTP
import Primitives
import Reactor
import Security

/// The receiver that is tried: how it is called, rightly and wrongly.
struct ConformanceTarget: Sendable {
    let url: HTTPURL
    let secrets: [WebhookSecret]
    let contentType: String
    let answerMax: Duration
    let client: HTTPClient
    let tls: TLSContext?

    /// A call, and what is wrong with it.
    struct Call: Sendable {
        var id: String
        var body: [UInt8]
        /// When it says that it was made.
        var sentAt: Timestamp
        /// What stands in `webhook-signature`; `nil` for none.
        var signature: String?
    }

    enum Answer: Sendable, Equatable {
        case status(Int)
        /// None within the time, or the connection was lost, in words.
        case none(String)

        var isReceived: Bool { if case .status(let code) = self { (200..<300).contains(code) } else { false } }
        var isRefused: Bool { if case .status(let code) = self { (400..<500).contains(code) } else { false } }

        /// To follow what was sent.
        var words: String {
            switch self {
            case .status(let code): "was answered \(code)"
            case .none(let reason): reason
            }
        }
    }

    /// As it should be.
    func call(_ id: String, _ body: [UInt8], at time: Timestamp = .now()) -> Call {
        Call(
            id: id, body: body, sentAt: time,
            signature: WebhookSignature.sign(id: id, at: time, body: body, secrets: secrets))
    }

    func fields(_ call: Call) -> HTTPFields {
        var fields: HTTPFields = [
            "Content-Type": contentType, "User-Agent": "TrackMe-AutomatedSOS/1", WebhookSignature.idHeader: call.id,
            WebhookSignature.timestampHeader: WebhookSignature.timestamp(call.sentAt),
        ]
        if let signature = call.signature { fields[WebhookSignature.signatureHeader] = signature }
        return fields
    }

    /// Why no connection can be made; `nil` when one can. Call on a loop.
    func whyUnreachable() async -> String? {
        do throws(IOError) {
            try await connect().close()
            return nil
        } catch { return error.description }
    }

    private func connect() async throws(IOError) -> ByteStream {
        try await ByteStream.connect(
            to: Endpoint(host: url.host, port: url.port), tls: url.isSecure ? tls : nil, serverName: url.host,
            deadline: .after(answerMax))
    }

    func send(_ call: Call) async -> Answer {
        var request = HTTPClientRequest(.post, url, fields: fields(call), body: call.body)
        request.isRepeatable = true
        do throws(HTTPClientError) {
            let response = try await client.send(request, deadline: .after(answerMax))
            return .status(Int(response.status.rawValue))
        } catch {
            switch error {
            case .io(.timedOut): return .none("was not answered within \(answerMax.milliseconds / 1000) s")
            case .io(let error): return .none("could not be delivered: \(error)")
            case .malformedResponse(let detail): return .none("was answered by something that is not HTTP: \(detail)")
            default: return .none("could not be delivered: \(error)")
            }
        }
    }

    /// The same over a connection of its own, the body coming in pieces over that time. Call on a loop.
    func sendSlowly(_ call: Call, over time: Duration) async -> Answer {
        let pieces = 8
        do throws(IOError) {
            let stream = try await connect()
            defer { stream.close() }
            var head = "POST \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\nContent-Length: \(call.body.count)\r\n"
            for field in fields(call).entries { head += "\(field.name): \(field.value)\r\n" }
            try await stream.write(Array("\(head)Connection: close\r\n\r\n".utf8), deadline: .after(answerMax))
            var rest = call.body[...]
            let size = max(1, call.body.count / pieces)
            while !rest.isEmpty {
                try await stream.loop.sleep(for: time / pieces)
                try await stream.write(Array(rest.prefix(size)), deadline: .after(answerMax))
                rest = rest.dropFirst(size)
            }
            var buffer = ByteBuffer()
            let deadline = Deadline.after(answerMax)
            while buffer.firstIndex(of: UInt8(ascii: "\n")) == nil {
                guard try await stream.read(into: &buffer, deadline: deadline) > 0 else {
                    return .none("was not answered: the connection was closed")
                }
            }
            let line = String(decoding: buffer.take(buffer.count), as: UTF8.self).split(separator: " ")
            guard line.count >= 2, line[0].hasPrefix("HTTP/1."), let code = Int(line[1].prefix(3)) else {
                return .none("was answered by something that is not HTTP")
            }
            return .status(code)
        } catch { return .none("was not taken to its end: \(error)") }
    }
}
