import CLinux
import Glibc

/// A numeric address as the kernel has it: IPv4, IPv6 or unix.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    public let family: Family
    /// Network order: 4 or 16 bytes; the path's bytes for a unix socket.
    public let bytes: [UInt8]
    public let port: UInt16
    let scope: UInt32

    public enum Family: Sendable { case ipv4, ipv6, unix }

    init(family: Family, bytes: [UInt8], port: UInt16, scope: UInt32 = 0) {
        self.family = family
        self.bytes = bytes
        self.port = port
        self.scope = scope
    }

    /// A numeric IPv4 or IPv6 address; `nil` for a name.
    public init?(numeric host: String, port: UInt16) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            self.init(family: .ipv4, bytes: withUnsafeBytes(of: &four) { Array($0) }, port: port)
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            self.init(family: .ipv6, bytes: withUnsafeBytes(of: &six) { Array($0) }, port: port)
        } else {
            return nil
        }
    }

    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            self = withUnsafeBytes(of: &storage) { raw in
                let address = raw.loadUnaligned(as: sockaddr_in.self)
                return SocketAddress(
                    family: .ipv4, bytes: withUnsafeBytes(of: address.sin_addr) { Array($0) },
                    port: UInt16(bigEndian: address.sin_port))
            }
        case AF_INET6:
            self = withUnsafeBytes(of: &storage) { raw in
                let address = raw.loadUnaligned(as: sockaddr_in6.self)
                return SocketAddress(
                    family: .ipv6, bytes: withUnsafeBytes(of: address.sin6_addr) { Array($0) },
                    port: UInt16(bigEndian: address.sin6_port), scope: address.sin6_scope_id)
            }
        case AF_UNIX: self.init(family: .unix, bytes: [], port: 0)
        default: return nil
        }
    }

    /// The kernel's form, for one system call.
    func withSockaddr<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var storage = sockaddr_storage()
        let length = withUnsafeMutableBytes(of: &storage) { raw -> Int in
            switch family {
            case .ipv4:
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
                raw.storeBytes(of: address, as: sockaddr_in.self)
                return MemoryLayout<sockaddr_in>.size
            case .ipv6:
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = port.bigEndian
                address.sin6_scope_id = scope
                withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
                raw.storeBytes(of: address, as: sockaddr_in6.self)
                return MemoryLayout<sockaddr_in6>.size
            case .unix:
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes.prefix(107)) }
                raw.storeBytes(of: address, as: sockaddr_un.self)
                return MemoryLayout<sockaddr_un>.size
            }
        }
        return withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    var domain: Int32 {
        switch family {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// The address alone, without the port.
    public var host: String {
        switch family {
        case .unix: return "unix:" + String(decoding: bytes, as: UTF8.self)
        case .ipv4: return bytes.map(String.init).joined(separator: ".")
        case .ipv6:
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count))
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    public var description: String {
        switch family {
        case .unix: host
        case .ipv4: "\(host):\(port)"
        case .ipv6: "[\(host)]:\(port)"
        }
    }
}

extension SocketAddress {
    func with(port: UInt16) -> SocketAddress {
        SocketAddress(family: family, bytes: bytes, port: port, scope: scope)
    }
}

extension Endpoint {
    /// The addresses of this endpoint (at most 16): numeric ones at once, names as `NameResolver` says. Call on a loop.
    /// Errors: `resolve`, `limit`, `timedOut`, `cancelled`.
    public func resolve(deadline: Deadline = .never) async throws(IOError) -> [SocketAddress] {
        if isUnix { return [SocketAddress(family: .unix, bytes: Array(host.utf8), port: 0)] }
        if let numeric = SocketAddress(numeric: host, port: port) { return [numeric] }
        return try await NameResolver.shared.addresses(of: host, deadline: deadline).map { $0.with(port: port) }
    }
}
