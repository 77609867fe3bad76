import COpenSSL
import Glibc
import Synchronization

/// Certificates and rules for TLS connections, made from PEM files and made anew by `reload()`: new connections use
/// the new files, those that exist go on with the old.
public final class TLSContext: Sendable {
    private enum Role: Sendable { case server, client }

    /// The oldest version that is spoken. Of 1.2 only what is as good as 1.3: ephemeral keys, authenticated encryption, no
    /// renegotiation.
    public enum OldestVersion: Sendable { case tls12, tls13 }

    /// An `SSL_CTX`.
    ///
    /// Sendable without the compiler's proof: OpenSSL locks it internally, and it is not changed after it is made.
    private final class Handle: @unchecked Sendable {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { SSL_CTX_free(pointer) }
    }

    /// An `SSL_SESSION`.
    ///
    /// Sendable without the compiler's proof: OpenSSL counts its references atomically, and it is not changed.
    private final class Ticket: @unchecked Sendable {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { SSL_SESSION_free(pointer) }
    }

    /// The last session ticket of each server, for resumption.
    private final class Tickets: Sendable {
        private static let serversMax = 256
        private let tickets = Mutex<[String: Ticket]>([:])

        func keep(_ ticket: Ticket, for server: String) {
            tickets.withLock { tickets in
                if tickets.count < Self.serversMax || tickets[server] != nil { tickets[server] = ticket }
            }
        }

        /// A ticket is used once (RFC 8446, appendix C.4), and not when its server's certificate has expired.
        func take(for server: String) -> Ticket? {
            guard let ticket = tickets.withLock({ $0.removeValue(forKey: server) }) else { return nil }
            return tm_session_peer_is_over(ticket.pointer) == 0 ? ticket : nil
        }
    }

    /// What the callback for new tickets finds from its `SSL`.
    private final class TicketSlot: Sendable {
        let tickets: Tickets
        let server: String
        let handle: Handle
        init(_ tickets: Tickets, _ server: String, _ handle: Handle) {
            self.tickets = tickets
            self.server = server
            self.handle = handle
        }
    }

    private struct Current {
        let handle: Handle
        let tickets: Tickets
    }

    private let current: Mutex<Current>
    /// What it was made from.
    private let files: [String]
    private let seen: Mutex<[FileState]>
    private let make: @Sendable () throws(IOError) -> OpaquePointer

    private init(
        files: [String?], _ make: @escaping @Sendable () throws(IOError) -> OpaquePointer
    ) throws(IOError) {
        self.make = make
        self.files = files.compactMap(\.self)
        // Before they are read: what changes meanwhile is seen later.
        seen = Mutex(FileState.of(self.files))
        current = Mutex(Current(handle: Handle(try make()), tickets: Tickets()))
    }

    /// A server with a certificate chain and its key; with `clientAuthorityFile` clients must show a certificate that
    /// one of these authorities signed. Clients that offer protocols (ALPN) must offer HTTP/1.1 when `isHTTP`. Errors: `tls`
    /// naming the file.
    public static func server(
        certificateFile: String, keyFile: String, clientAuthorityFile: String? = nil, oldest: OldestVersion = .tls13,
        isHTTP: Bool = false
    ) throws(IOError) -> TLSContext {
        let files = [certificateFile, keyFile, clientAuthorityFile]
        return try TLSContext(files: files) { () throws(IOError) -> OpaquePointer in
            let context = try base(.server, oldest)
            if isHTTP { tm_SSL_CTX_select_http11(context) }
            try load(context, certificateFile: certificateFile, keyFile: keyFile)
            if let clientAuthorityFile {
                try trust(context, clientAuthorityFile)
                SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
                SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(clientAuthorityFile))
            }
            // Sessions of clients with certificates resume only within this context, and not beyond the certificate.
            let name = Array("trackme".utf8)
            SSL_CTX_set_session_id_context(context, name, UInt32(name.count))
            guard tm_SSL_CTX_refuse_outlived_tickets(context) == 1 else { throw failed(context, "session tickets") }
            return context
        }
    }

    /// A client that trusts the authorities in `authorityFile` (the system's when nil) and, when asked, shows its own
    /// certificate. Errors: `tls` naming the file.
    public static func client(
        authorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil,
        oldest: OldestVersion = .tls13
    ) throws(IOError) -> TLSContext {
        try client(authorityFile, certificateFile, keyFile, oldest) { _ in }
    }

    /// As `client`; `change` makes it behave as an old one, for tests.
    static func client(
        _ authorityFile: String?, _ certificateFile: String?, _ keyFile: String?, _ oldest: OldestVersion,
        change: @escaping @Sendable (OpaquePointer) -> Void
    ) throws(IOError) -> TLSContext {
        let files = [authorityFile, certificateFile, keyFile]
        return try TLSContext(files: files) { () throws(IOError) -> OpaquePointer in
            let context = try base(.client, oldest)
            if let authorityFile {
                try trust(context, authorityFile)
            } else if SSL_CTX_set_default_verify_paths(context) != 1 {
                throw .tls("the system's certificate authorities: \(reason())")
            }
            if let certificateFile, let keyFile {
                try load(context, certificateFile: certificateFile, keyFile: keyFile)
            }
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
            _ = tm_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
            SSL_CTX_sess_set_new_cb(context) { ssl, session in
                guard let ssl, let session, let data = SSL_get_ex_data(ssl, 0) else { return 0 }
                let slot = Unmanaged<TicketSlot>.fromOpaque(data).takeUnretainedValue()
                slot.tickets.keep(Ticket(session), for: slot.server)
                return 1
            }
            change(context)
            return context
        }
    }

    /// Reads the files again. On an error the old certificates stay in use. Resumption starts afresh.
    public func reload() throws(IOError) {
        let now = FileState.of(files)
        let handle = Handle(try make())
        seen.withLock { $0 = now }
        current.withLock { $0 = Current(handle: handle, tickets: Tickets()) }
    }

    /// The context in force at the moment.
    func withHandle<R>(_ body: (OpaquePointer) -> R) -> R {
        let handle = current.withLock { $0.handle }
        return withExtendedLifetime(handle) { body(handle.pointer) }
    }

    /// As `reload`, if a file is another one than before. Whether it was. Errors: as `reload`, until the files are whole.
    @discardableResult public func reloadIfChanged() throws(IOError) -> Bool {
        guard FileState.of(files) != seen.withLock({ $0 }) else { return false }
        try reload()
        return true
    }

    /// What changes when a file is replaced or written.
    private struct FileState: Equatable {
        let inode: UInt
        let bytes: Int
        let seconds: Int
        let nanoseconds: Int

        static func of(_ files: [String]) -> [FileState] {
            files.map { file in
                var found = stat()
                guard stat(file, &found) == 0 else { return FileState(inode: 0, bytes: 0, seconds: 0, nanoseconds: 0) }
                return FileState(
                    inode: UInt(found.st_ino), bytes: found.st_size, seconds: found.st_mtim.tv_sec,
                    nanoseconds: found.st_mtim.tv_nsec)
            }
        }
    }

    func serverSession(_ descriptor: Int32) throws(IOError) -> TLSSession {
        let handle = current.withLock { $0.handle }
        let ssl = try Self.session(handle, descriptor)
        SSL_set_accept_state(ssl)
        return TLSSession(ssl, owner: handle)
    }

    func clientSession(_ descriptor: Int32, serverName: String) throws(IOError) -> TLSSession {
        let current = current.withLock { Current(handle: $0.handle, tickets: $0.tickets) }
        let ssl = try Self.session(current.handle, descriptor)
        let slot = TicketSlot(current.tickets, serverName, current.handle)
        guard SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(slot).toOpaque()) == 1,
            Self.expect(serverName, at: ssl)
        else {
            SSL_free(ssl)
            throw .tls("\(serverName) cannot be checked against a certificate: \(Self.reason())")
        }
        if let ticket = current.tickets.take(for: serverName) {
            SSL_set_session(ssl, ticket.pointer)
        }
        SSL_set_connect_state(ssl)
        return TLSSession(ssl, owner: slot)
    }

    /// Whether the name that the server's certificate has to carry could be set: without it any name would do.
    private static func expect(_ serverName: String, at ssl: OpaquePointer) -> Bool {
        // OpenSSL takes an empty name for "any".
        guard !serverName.isEmpty else { return false }
        if SocketAddress(numeric: serverName, port: 0) != nil {
            return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), serverName) == 1
        }
        return SSL_set1_host(ssl, serverName) == 1 && tm_SSL_set_tlsext_host_name(ssl, serverName) == 1
    }

    /// The reason of the last OpenSSL error of this thread; clears the queue.
    static func reason() -> String {
        let code = ERR_peek_last_error()
        defer { ERR_clear_error() }
        guard code != 0 else { return "unknown reason" }
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// How connections write: a `BIO_METHOD`.
    ///
    /// Sendable without the compiler's proof: it is not changed after it is made.
    private final class Output: @unchecked Sendable {
        let pointer = tm_output_method()
    }
    private static let output = Output()

    // MARK: Making an SSL_CTX

    private static func session(_ handle: Handle, _ descriptor: Int32) throws(IOError) -> OpaquePointer {
        guard let ssl = SSL_new(handle.pointer) else { throw .tls("SSL_new: \(reason())") }
        guard tm_SSL_set_socket(ssl, descriptor, output.pointer) == 1 else {
            SSL_free(ssl)
            throw .tls("no memory for a connection: \(reason())")
        }
        return ssl
    }

    private static func base(_ role: Role, _ oldest: OldestVersion) throws(IOError) -> OpaquePointer {
        ERR_clear_error()
        guard let context = SSL_CTX_new(role == .server ? TLS_server_method() : TLS_client_method()) else {
            throw .tls("SSL_CTX_new: \(reason())")
        }
        let isLimited =
            switch oldest {
            case .tls13: tm_SSL_CTX_set_min_tls13(context) == 1
            case .tls12: tm_SSL_CTX_set_min_tls12(context) == 1
            }
        guard isLimited else { throw failed(context, "the oldest version of TLS") }
        _ = tm_SSL_CTX_set_mode(
            context,
            Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS))
        // One system call per record instead of two; `hasPending` tells what is left in OpenSSL's buffer.
        tm_SSL_CTX_set_read_ahead(context)
        return context
    }

    private static func load(_ context: OpaquePointer, certificateFile: String, keyFile: String) throws(IOError) {
        guard SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1 else {
            throw failed(context, "certificate \(certificateFile)")
        }
        // Nobody is there to type a password: an encrypted key is an error.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
        guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw failed(context, "private key \(keyFile)")
        }
        guard SSL_CTX_check_private_key(context) == 1 else {
            throw failed(context, "\(keyFile) is not the key of \(certificateFile)")
        }
    }

    private static func trust(_ context: OpaquePointer, _ file: String) throws(IOError) {
        guard SSL_CTX_load_verify_locations(context, file, nil) == 1 else {
            throw failed(context, "certificate authority \(file)")
        }
    }

    private static func failed(_ context: OpaquePointer, _ what: String) -> IOError {
        defer { SSL_CTX_free(context) }
        return .tls("\(what): \(reason())")
    }
}
