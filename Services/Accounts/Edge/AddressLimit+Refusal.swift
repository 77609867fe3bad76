import HTTP
import Service

extension AddressLimit {
    /// Counts a request. Throws `too-many-tries`.
    @discardableResult func admit(_ request: HTTPRequest) throws(Refusal) -> Counted {
        do throws(Exceeded) { return try count(request.clientAddress) } catch {
            throw Refusal(
                .tooManyTries, "too-many-tries", "There was too much of this from your network; please wait.",
                retryAfter: error.retryAfter)
        }
    }
}
