import Primitives

/// Where to connect or listen: `host:port`, `[IPv6]:port`, or `unix:/path`.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
    /// A host name or address without brackets; the path of a unix socket.
    public let host: String
    /// 0 for a unix socket, or to let the system choose when listening.
    public let port: UInt16
    public let isUnix: Bool

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
        isUnix = false
    }

    public init(unixPath: String) {
        host = unixPath
        port = 0
        isUnix = true
    }

    public init?(_ description: String) {
        if description.hasPrefix("unix:") {
            let path = String(description.dropFirst(5))
            guard path.hasPrefix("/"), path.utf8.count <= 107 else { return nil }
            self.init(unixPath: path)
            return
        }
        guard let colon = description.lastIndex(of: ":"),
            let port = UInt16(description[description.index(after: colon)...])
        else { return nil }
        var host = description[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    public var description: String {
        isUnix ? "unix:\(host)" : host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension Endpoint: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let endpoint = Endpoint(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected HOST:PORT with a port from 0 to 65535, or unix:/PATH")
        }
        self = endpoint
    }
}
