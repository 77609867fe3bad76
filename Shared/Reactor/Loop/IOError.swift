import Glibc

/// What can go wrong between this process and the kernel, or the peer.
public enum IOError: Error, Sendable, Equatable, CustomStringConvertible {
    /// This side closed the descriptor, or its loop has stopped.
    case closed
    /// The deadline passed first.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
    /// A configured limit was reached; the text names it.
    case limit(String)
    /// A system call failed.
    case system(operation: String, errno: Int32)
    /// A TLS handshake or record failed; the text is OpenSSL's reason.
    case tls(String)
    /// A host name has no address; the text is the resolver's.
    case resolve(String)

    /// The current thread's `errno` after `operation`.
    static func last(_ operation: String) -> IOError { .system(operation: operation, errno: errno) }

    public var description: String {
        switch self {
        case .closed: "closed"
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        case .limit(let what): "limit reached: \(what)"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        case .tls(let reason): "TLS: \(reason)"
        case .resolve(let reason): "name resolution: \(reason)"
        }
    }
}
