import HTTP
import Reactor
import Service

extension AddressLimit {
    /// Counts a request. Throws `too-many-tries`.
    @discardableResult func admit(_ request: HTTPRequest) throws(Refusal) -> Counted {
        try admit(request.clientAddress)
    }

    /// As `admit` of a request from there.
    @discardableResult func admit(_ address: SocketAddress?) throws(Refusal) -> Counted {
        do throws(Exceeded) { return try count(address) } catch {
            throw Refusal(
                .tooManyTries, "too-many-tries", "There was too much of this from your network; please wait.",
                retryAfter: error.retryAfter)
        }
    }
}
