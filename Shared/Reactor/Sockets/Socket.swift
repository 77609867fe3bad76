import CLinux
import Glibc

/// System calls on stream sockets, non-blocking and close-on-exec.
enum Socket {
    static func make(_ domain: Int32) throws(IOError) -> Int32 {
        let descriptor = socket(domain, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last("socket") }
        return descriptor
    }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        // Tuning only: a socket without it still works.
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Small messages leave at once.
    static func tune(_ descriptor: Int32, _ keepAlive: TCPKeepAlive) {
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        keepAlive.apply(to: descriptor)
    }

    /// The error that a finished `connect` left, 0 for success.
    static func pendingError(_ descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    static func address(
        _ descriptor: Int32,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, &length) }
        }
        return code == 0 ? SocketAddress(storage) : nil
    }

    static func listen(at address: SocketAddress, backlog: Int32) throws(IOError) -> Int32 {
        let descriptor = try make(address.domain)
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.family == .unix { unlink(String(decoding: address.bytes, as: UTF8.self)) }
        guard address.withSockaddr({ bind(descriptor, $0, $1) }) == 0 else {
            let error = IOError.last("bind \(address)")
            close(descriptor)
            throw error
        }
        guard Glibc.listen(descriptor, backlog) == 0 else {
            let error = IOError.last("listen \(address)")
            close(descriptor)
            throw error
        }
        return descriptor
    }
}
