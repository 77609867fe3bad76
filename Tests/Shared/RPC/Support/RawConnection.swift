import JSON
import Reactor

/// A client that knows nothing of JSON-RPC: it sends bytes and reads lines.
final class RawConnection {
    let stream: ByteStream
    private var buffer = ByteBuffer()

    init(_ stream: ByteStream) {
        self.stream = stream
    }

    func send(_ text: String) async throws {
        try await stream.write(Array(text.utf8), deadline: .after(.seconds(5)))
    }

    /// The next line as JSON; `nil` at the end.
    func line() async throws -> JSONValue? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer.take(end)
                buffer.consume(1)
                return try JSONDecoder().decode(JSONValue.self, from: line)
            }
            var more = buffer
            let count = try await stream.read(into: &more, deadline: .after(.seconds(5)))
            buffer = more
            if count == 0 { return nil }
        }
    }

    /// Whether the server ends the connection without saying anything more.
    func isEnded() async -> Bool {
        do {
            return try await line() == nil
        } catch IOError.system {
            return true
        } catch {
            return false
        }
    }
}

extension JSONValue {
    subscript(_ key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    var errorCode: Int64? {
        if case .integer(let code)? = self["error"]?["code"] { code } else { nil }
    }
}
