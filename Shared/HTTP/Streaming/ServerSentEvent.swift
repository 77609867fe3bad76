/// The text form of Server-Sent Events (WHATWG HTML §9.2), for bodies that are `HTTPResponse.live`.
public enum ServerSentEvent {
    /// Tells the client how long to wait before it connects again.
    public static func retry(after delay: Duration) -> [UInt8] {
        Array("retry: \(Int(delay / .milliseconds(1)))\n\n".utf8)
    }

    /// Where a stream begins: what the client names as `Last-Event-ID` when it connects again before the first event has come.
    public static func place(_ id: String) -> [UInt8] {
        var output: [UInt8] = []
        appendLine("id: ", id, to: &output)
        output.append(10)
        return output
    }

    /// A comment, which clients ignore: it keeps proxies from hanging up, and shows that the client has gone.
    public static let heartbeat = Array(":\n\n".utf8)

    /// An event that says nothing has changed. Unlike a comment it reaches the scripts of a page, and tells them that the network is
    /// still there.
    public static let still = Array("event: still\ndata: {}\n\n".utf8)

    /// One event. Each line of `data` is sent as one; what would end the line of `name` or `id`, or is not allowed in an id, is
    /// left out.
    public static func encode(_ name: String, id: String, data: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(data.count + name.utf8.count + id.utf8.count + 32)
        appendLine("event: ", name, to: &output)
        appendLine("id: ", id, to: &output)
        var rest = data[...]
        while let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) {
            appendData(rest[..<end], to: &output)
            // A return and a line feed are one end of a line.
            let isPair = rest[end] == 13 && rest[(end + 1)...].first == 10
            rest = rest[(isPair ? end + 2 : end + 1)...]
        }
        appendData(rest, to: &output)
        output.append(10)
        return output
    }

    private static func appendLine(_ field: StaticString, _ value: String, to output: inout [UInt8]) {
        output.append(field)
        output.append(contentsOf: value.utf8.filter { $0 != 10 && $0 != 13 && $0 != 0 })
        output.append(10)
    }

    private static func appendData(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
        output.append("data: ")
        output.append(contentsOf: line)
        output.append(10)
    }
}
