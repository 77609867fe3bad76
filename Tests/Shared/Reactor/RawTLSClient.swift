import COpenSSL
import Glibc

@testable import Reactor

/// A TLS client on a blocking socket, for what `ByteStream` does not do: offer protocols, change keys. To be used on a thread
/// of its own, by one at a time.
final class RawTLSClient: @unchecked Sendable {
    struct Failed: Error {
        let step: String
        /// Of OpenSSL.
        let reason: String
    }

    private let descriptor: Int32
    private let ssl: OpaquePointer

    /// Connects to a port of this machine. `protocols` are offered by ALPN (RFC 7301), if there are any.
    init(_ port: UInt16, _ context: TLSContext, offering protocols: [String] = []) throws {
        guard let address = SocketAddress(numeric: "127.0.0.1", port: port),
            let ssl = context.withHandle({ SSL_new($0) })
        else { throw Failed(step: "SSL_new", reason: TLSContext.reason()) }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        (self.ssl, self.descriptor) = (ssl, descriptor)
        guard address.withSockaddr({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw Failed(step: "connect", reason: "\(errno)")
        }
        let offer = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        guard offer.isEmpty || SSL_set_alpn_protos(ssl, offer, UInt32(offer.count)) == 0 else {
            throw Failed(step: "offer", reason: TLSContext.reason())
        }
        ERR_clear_error()
        guard SSL_set_fd(ssl, descriptor) == 1, SSL_connect(ssl) == 1 else {
            throw Failed(step: "handshake", reason: TLSContext.reason())
        }
    }

    deinit {
        SSL_free(ssl)
        close(descriptor)
    }

    /// The protocol that the server chose.
    var chosen: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// Sends a KeyUpdate that asks for one of the server (RFC 8446, section 4.6.3), and a byte after it.
    func updateKeys(then byte: UInt8) throws {
        var (count, bytes) = (0, [byte])
        guard SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1, SSL_do_handshake(ssl) == 1,
            SSL_write_ex(ssl, &bytes, 1, &count) == 1
        else { throw Failed(step: "key update", reason: TLSContext.reason()) }
    }

    /// Waits until the server's bytes have filled the socket's buffers, and no more come.
    func waitUntilFull() {
        var (last, same): (Int32, Int) = (-1, 0)
        for _ in 0..<1000 where same < 5 {
            var count: Int32 = 0
            _ = ioctl(descriptor, UInt(FIONREAD), &count)
            same = count > 0 && count == last ? same + 1 : 0
            last = count
            usleep(10_000)
        }
    }

    func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            var got = 0
            let code = bytes.withUnsafeMutableBytes {
                SSL_read_ex(ssl, $0.baseAddress.map { $0 + filled }, count - filled, &got)
            }
            guard code == 1 else { throw Failed(step: "read after \(filled) bytes", reason: TLSContext.reason()) }
            filled += got
        }
        return bytes
    }
}
