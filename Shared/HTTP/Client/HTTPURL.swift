import Reactor

/// An absolute `http` or `https` URL without user information (RFC 3986, strictly); a fragment is dropped.
public struct HTTPURL: Hashable, Sendable, LosslessStringConvertible {
    public let isSecure: Bool
    /// In lower case, without brackets.
    public let host: String
    public let port: UInt16
    /// Path and query; begins with a slash.
    public let target: String

    public init?(_ description: String) {
        let octets = Array(description.utf8)
        guard octets.count <= 8000, octets.allSatisfy({ Octets.isTarget($0) || $0 == UInt8(ascii: "#") }) else {
            return nil
        }
        let lowered = String(decoding: octets.prefix(8).map(Octets.lowercased), as: UTF8.self)
        let schemeCount: Int
        if lowered == "https://" {
            (isSecure, schemeCount) = (true, 8)
        } else if lowered.hasPrefix("http://") {
            (isSecure, schemeCount) = (false, 7)
        } else {
            return nil
        }
        let rest = octets.dropFirst(schemeCount).prefix { $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let path = String(decoding: rest.dropFirst(authority.count), as: UTF8.self)
        target = path.hasPrefix("/") ? path : "/" + path
        var host = authority
        var port: UInt16 = isSecure ? 443 : 80
        let isBracketed = authority.first == UInt8(ascii: "[")
        let end =
            isBracketed
            ? authority.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : authority.firstIndex(of: UInt8(ascii: ":"))
        if isBracketed, end == nil { return nil }
        if let end, end < authority.endIndex {
            let digits = authority[(end + 1)...]
            guard authority[end] == UInt8(ascii: ":"), !digits.isEmpty, digits.allSatisfy(Octets.isDigit),
                let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0
            else { return nil }
            port = number
            host = authority[..<end]
        }
        if isBracketed { host = host.dropFirst().dropLast() }
        let name = String(decoding: host.map(Octets.lowercased), as: UTF8.self)
        let isNumeric = SocketAddress(numeric: name, port: port) != nil
        guard isBracketed ? isNumeric && name.utf8.contains(UInt8(ascii: ":")) : Self.isName(host), host.count <= 253
        else { return nil }
        self.host = name
        self.port = port
    }

    private static func isName(_ octets: ArraySlice<UInt8>) -> Bool {
        guard let first = octets.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
        return octets.allSatisfy {
            Octets.isDigit($0) || Octets.lowercased($0) &- 97 < 26 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                || $0 == UInt8(ascii: "_")
        }
    }

    public var description: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }

    /// Host and port as `Host` has them: without the scheme's own port.
    public var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The origin as texts have it (RFC 6454 section 6.2).
    public var originText: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// Whether the host is `localhost` or an address of loopback.
    public var isOnThisMachine: Bool {
        if host == "localhost" || host == "::1" { return true }
        guard let loopback = AddressRange("127.0.0.0/8"), let address = SocketAddress(numeric: host, port: 0) else {
            return false
        }
        return loopback.contains(address)
    }

    /// The origin, by which connections are shared.
    var origin: HTTPOrigin { HTTPOrigin(isSecure: isSecure, endpoint: Endpoint(host: host, port: port)) }
}

/// Scheme, host and port.
struct HTTPOrigin: Hashable, Sendable {
    let isSecure: Bool
    let endpoint: Endpoint
}
