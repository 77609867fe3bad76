public import HTTP

/// Sessions in browsers (ACC-16): the tokens are in cookies that scripts cannot read, so scripts that get into a page
/// cannot carry them away.
///
/// Cookies come by themselves, also with requests that somebody else's page causes (CSRF). `SameSite=Strict` keeps them
/// out of all requests from other sites, reads included. But the other ports and subdomains of a domain are the same site,
/// so a request that changes something also needs a header field of ours: a form cannot send one, and a script of another
/// origin only after a CORS preflight, which no service answers with a permission.
public enum BrowserSession {
    /// The access token, for all services.
    public static let access = ProtectedCookie(name: "__Host-trackme-access", path: "/")
    /// The refresh token, which only the routes that need it get.
    public static let refresh = ProtectedCookie(
        name: "__Secure-trackme-refresh", path: "/accounts/v1/browser-session")

    /// Throws 403 `cross-site-request` for a request that may change something and does not come from one of our pages:
    /// without `TrackMe-Request: page`, or where the browser says (`Sec-Fetch-Site`) that another origin caused it.
    public static func requireOwnPage(_ request: HTTPRequest) throws(Problem) {
        guard !request.method.isSafe else { return }
        guard request.head.values(of: "sec-fetch-site").allSatisfy({ $0 == "same-origin" || $0 == "none" }) else {
            throw refusal("send this from a page of the same origin")
        }
        guard request.field("trackme-request") == "page" else {
            throw refusal("send the header field TrackMe-Request: page with what changes something")
        }
    }

    private static func refusal(_ detail: String) -> Problem {
        Problem(.forbidden, code: "cross-site-request", detail: detail)
    }
}
