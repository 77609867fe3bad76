public import Reactor
public import Telemetry

/// A request as a handler gets it.
public struct HTTPRequest: Sendable {
    public let head: HTTPRequestHead
    public internal(set) var body: HTTPRequestBody
    public internal(set) var pathParameters = PathParameters.none
    /// By when the handler must have answered; pass it on to what the handler calls. Its task is cancelled then.
    public internal(set) var deadline = Deadline.never
    /// The context of the work that this request asks for; its parent is the client's, if that sent one.
    public let trace: TraceContext
    /// For what waits: long polls and streams of events.
    public let serverEnd: HTTPServerEnd
    let peer: HTTPPeer?

    init(
        head: HTTPRequestHead, body: HTTPRequestBody, peer: HTTPPeer?, trace: TraceContext? = nil,
        serverEnd: HTTPServerEnd = HTTPServerEnd()
    ) {
        self.trace = trace ?? TraceContext(of: head)?.child() ?? .root()
        self.head = head
        self.body = body
        self.peer = peer
        self.serverEnd = serverEnd
    }

    /// A request made by hand, for the router without a server: it goes through the same parser. `body` is what the
    /// head then promises. Errors: what the parser refuses.
    public init(
        _ method: HTTPMethod, _ target: String, fields: HTTPFields = [:], body: [UInt8] = []
    ) throws(HTTPParseError) {
        var octets: [UInt8] = []
        octets.append("\(method) \(target) HTTP/1.1\r\n")
        if !fields.contains("host") { octets.append("Host: localhost\r\n") }
        for field in fields.entries { octets.append("\(field.name): \(field.value)\r\n") }
        if !body.isEmpty { octets.append("Content-Length: \(body.count)\r\n") }
        octets.append("\r\n")
        var parser = HTTPRequestParser()
        let head = try octets.withOctets { (octets) throws(HTTPParseError) in try parser.head(in: octets) }
        guard let head else { throw HTTPParseError(.badRequest, "the head is incomplete") }
        self.init(head: head, body: .buffered(body), peer: nil)
    }

    public var method: HTTPMethod { head.method }
    /// As it was sent, percent-encoded.
    public var path: String { head.path }

    /// The first value of the header field `name` (lower case).
    public func field(_ name: StaticString) -> String? { head.value(of: name) }

    /// The value of the route's `:name`; the route has to have it.
    public func parameter(_ name: String) throws(Problem) -> String {
        guard let value = pathParameters[name] else { throw .internalError }
        return value
    }

    /// The value of the route's `:name` as an identifier, number, date …: 404 when it cannot be one.
    public func parameter<T: LosslessStringConvertible>(_ name: String, as type: T.Type = T.self) throws(Problem) -> T {
        guard let value = T(try parameter(name)) else { throw .notFound }
        return value
    }

    /// The decoded query; 400 when it is malformed. Handlers read it with `parameters`.
    func query() throws(Problem) -> QueryItems {
        let items = head.octets.withUnsafeBytes { octets in
            QueryItems(
                head.queryRange.map { Octets.slice(octets, $0.lowerBound, $0.upperBound) }
                    ?? .init(start: nil, count: 0))
        }
        guard let items else {
            throw Problem(
                .badRequest, code: "invalid-query", detail: "the query is malformed, or holds a control character")
        }
        return items
    }

    /// The bytes of a buffered body; empty on a route that streams.
    public var bytes: [UInt8] {
        if case .buffered(let bytes) = body { bytes } else { [] }
    }

    /// The body in pieces, on any route. Can be gone through once.
    public var chunks: HTTPBodyChunks { HTTPBodyChunks(body: body) }

    /// The client's address: the peer's, or behind trusted proxies the one they report.
    public var clientAddress: SocketAddress? {
        guard let peer, let address = peer.address else { return nil }
        guard peer.isTrustedProxy else { return address }
        return peer.trustedProxies.client(behind: address, forwardedFor: head.values(of: "x-forwarded-for"))
    }

    /// The network whose shares the request takes from; `nil` for this machine's own.
    var countedNetwork: [UInt8]? {
        guard let peer else { return nil }
        return peer.isTrustedProxy ? clientAddress?.countedNetwork : peer.network
    }

    /// The names of a verified client certificate; `nil` without one.
    public var peerIdentity: PeerIdentity? { peer?.identity }
}
