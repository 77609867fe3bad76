import Reactor

extension HTTPResponse {
    /// Smaller bodies are not compressed.
    static let gzipBytesMin = 1024
    /// Larger bodies are compressed in pieces, so that other connections have their turn on the loop.
    static let gzipWholeBytesMax = 256 * 1024

    /// This response in the coding that the client asked for: JSON and CSV as gzip (RFC 9110 §8.4, §12.5.3). Event streams
    /// are never compressed: each event has to leave at once.
    func coded(for request: HTTPRequest) -> HTTPResponse {
        guard isCompressible else { return self }
        var response = self
        response.fields.add("Vary", "Accept-Encoding")
        guard request.method != .head, request.acceptsGzip else { return response }
        switch body {
        case .bytes(let bytes) where bytes.count <= Self.gzipWholeBytesMax:
            guard let encoder = GzipEncoder() else { return response }
            response.body = .bytes(encoder.encode(bytes, .body))
        case .bytes(let bytes):
            response.body = .stream(count: nil) { writer in
                for start in stride(from: 0, to: bytes.count, by: Self.gzipWholeBytesMax) {
                    try await writer.write(Array(bytes[start..<min(start + Self.gzipWholeBytesMax, bytes.count)]))
                    try await EventLoop.current?.sleep(for: .zero)
                }
            }
        case .stream(_, let producer): response.body = .stream(count: nil, producer)
        case .empty, .live: return self
        }
        response.fields["Content-Encoding"] = "gzip"
        // Another form of the same (RFC 9110 §8.8.3): conditions compare weakly.
        if let tag = fields["etag"], !tag.hasPrefix("W/") { response.fields["ETag"] = "W/\(tag)" }
        return response
    }

    /// Whether the body goes through a compressing writer.
    var isGzipStream: Bool {
        guard case .stream = body else { return false }
        return fields["content-encoding"] == "gzip"
    }

    private var isCompressible: Bool {
        switch body {
        case .bytes(let bytes): guard bytes.count >= Self.gzipBytesMin else { return false }
        case .stream: break
        case .empty, .live: return false
        }
        guard let contentType, !status.isWithoutBody, !fields.contains("content-encoding") else { return false }
        let essence = contentType.essence
        return essence == "application/json" || essence == "text/csv" || essence.hasSuffix("+json")
            || essence == MediaType.ndjson.essence
    }
}

extension HTTPRequest {
    /// Whether `Accept-Encoding` names gzip, or anything, and does not refuse it.
    var acceptsGzip: Bool {
        var byName: Bool?
        var byStar = false
        for value in head.values(of: "accept-encoding") {
            for entry in value.split(separator: ",").prefix(32) {
                let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
                guard let name = parts.first else { continue }
                let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                if name == "gzip" || name == "x-gzip" { byName = quality > 0 }
                if name == "*" { byStar = quality > 0 }
            }
        }
        return byName ?? byStar
    }
}
