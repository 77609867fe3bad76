/// What the connection adds to a response.
struct ResponseFraming {
    let isHTTP10: Bool
    let isHead: Bool
    let keepsAlive: Bool

    /// Whether a body of unknown length goes out in chunks; otherwise the connection's end is its end.
    var canChunk: Bool { !isHTTP10 }
}

extension HTTPResponse {
    /// Status line, fields and the empty line, straight as bytes.
    func appendHead(to output: inout [UInt8], _ framing: ResponseFraming, _ defaults: inout ResponseDefaults) {
        output.append("HTTP/1.1 ")
        output.append(decimal: Int(status.rawValue))
        output.append(32)
        output.append(status.reasonPhrase)
        output.append("\r\n")
        if let contentType {
            output.append("Content-Type: ")
            output.append(contentType.description)
            output.append("\r\n")
        }
        switch body {
        case _ where status.isWithoutBody: break
        case .empty: output.append("Content-Length: 0\r\n")
        case .bytes(let bytes):
            output.append("Content-Length: ")
            output.append(decimal: bytes.count)
            output.append("\r\n")
        case .stream(.some(let count), _):
            output.append("Content-Length: ")
            output.append(decimal: count)
            output.append("\r\n")
        case .stream, .live:
            if framing.canChunk { output.append("Transfer-Encoding: chunked\r\n") }
        }
        defaults.append(to: &output, replacedBy: fields)
        if !framing.keepsAlive {
            output.append("Connection: close\r\n")
        } else if framing.isHTTP10 {
            output.append("Connection: keep-alive\r\n")
        }
        for field in fields.entries where !Self.isReserved(field.name) {
            output.append(fieldName: field.name, value: field.value)
        }
        output.append("\r\n")
    }

    /// Fields that are the server's business.
    private static func isReserved(_ name: String) -> Bool {
        ["content-length", "transfer-encoding", "connection", "date", "content-type"].contains {
            HTTPFields.same($0, name)
        }
    }
}
