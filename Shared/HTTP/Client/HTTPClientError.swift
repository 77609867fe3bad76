public import Reactor

/// Why a call out has no answer. A status such as 500 is an answer, not an error.
public enum HTTPClientError: Error, Sendable, Equatable {
    case invalidRequest(String)
    /// The host is, or resolves to, an address that is not public.
    case refusedAddress(String)
    /// Connecting, sending or receiving failed, or the deadline passed.
    case io(IOError)
    case malformedResponse(String)
    case responseTooLarge
    /// Too many calls to this origin wait for a connection.
    case overloaded
}
