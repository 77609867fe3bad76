import COpenSSL
import Glibc

/// One connection's TLS state on a non-blocking descriptor. Belongs to the stream that holds it; `free()` ends it.
final class TLSSession {
    enum Step<Value> {
        case done(Value)
        /// The peer has ended the stream.
        case end
        case wantRead
        case wantWrite
    }

    /// With more unsent bytes nothing more is read: a peer may cause answers without reading them.
    private static let unsentMax = 64 * 1024

    private var ssl: OpaquePointer?
    /// Keeps what the C side points to alive: the context, and where a new session ticket goes.
    private let owner: AnyObject

    init(_ ssl: OpaquePointer, owner: AnyObject) {
        self.ssl = ssl
        self.owner = owner
    }

    deinit { free() }

    func free() {
        if let ssl { SSL_free(ssl) }
        ssl = nil
    }

    func handshake() throws(IOError) -> Step<Void> {
        guard let ssl else { throw .closed }
        ERR_clear_error()
        let code = SSL_do_handshake(ssl)
        let step: Step<Void>
        do throws(IOError) { step = code == 1 ? .done(()) : try outcome(ssl, code, "handshake") } catch {
            // Sends the alert that tells the peer why.
            _ = tm_output_flush(SSL_get_wbio(ssl))
            throw error
        }
        return try flush() ? step : .wantWrite
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(IOError) -> Step<Int> {
        guard let ssl else { throw .closed }
        if tm_output_waiting(SSL_get_wbio(ssl)) > Self.unsentMax {
            guard try flush() else { return .wantWrite }
        }
        ERR_clear_error()
        var count = 0
        let code = SSL_read_ex(ssl, space.baseAddress, space.count, &count)
        if code == 1 { return .done(count) }
        return try outcome(ssl, code, "read")
    }

    /// Encrypts a part of `bytes`; `flush` returns true when the socket has taken it.
    func write(_ bytes: UnsafeRawBufferPointer) throws(IOError) -> Step<Int> {
        guard let ssl else { throw .closed }
        guard try flush() else { return .wantWrite }
        ERR_clear_error()
        var count = 0
        let code = SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count)
        if code == 1 { return .done(count) }
        return try outcome(ssl, code, "write")
    }

    /// Sends the rest of earlier writes. False when the socket does not take all of it now.
    func flush() throws(IOError) -> Bool {
        guard let ssl else { throw .closed }
        let state = tm_output_flush(SSL_get_wbio(ssl))
        guard state >= 0 else { throw .system(operation: "TLS write", errno: errno) }
        return state == 1
    }

    /// Records that are read from the socket but not yet given out.
    var hasPending: Bool { ssl.map { SSL_has_pending($0) == 1 } ?? false }

    var isResumed: Bool { ssl.map { SSL_session_reused($0) == 1 } ?? false }

    /// Sends close_notify if that does not block; the peer's is not waited for.
    func finish() {
        guard let ssl, SSL_is_init_finished(ssl) == 1 else { return }
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    var peerIdentity: PeerIdentity? {
        guard let ssl, let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
        defer { X509_free(certificate) }
        return SSL_get_verify_result(ssl) == Int(X509_V_OK) ? PeerIdentity(certificate: certificate) : nil
    }

    private func outcome<Value>(_ ssl: OpaquePointer, _ code: Int32, _ operation: String) throws(IOError) -> Step<Value>
    {
        let systemError = errno
        switch SSL_get_error(ssl, code) {
        case SSL_ERROR_WANT_READ: return .wantRead
        case SSL_ERROR_WANT_WRITE: return .wantWrite
        case SSL_ERROR_ZERO_RETURN: return .end
        case SSL_ERROR_SYSCALL:
            throw systemError == 0
                ? .tls("\(operation): connection cut") : .system(operation: "TLS \(operation)", errno: systemError)
        default:
            let verification = SSL_get_verify_result(ssl)
            if verification != Int(X509_V_OK), let reason = X509_verify_cert_error_string(verification) {
                throw .tls("\(operation): \(String(cString: reason))")
            }
            throw .tls("\(operation): \(TLSContext.reason())")
        }
    }
}
