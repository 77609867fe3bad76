extension HTTPResponse {
    /// The same for whoever asked alone: neither browsers nor proxies keep it (RFC 9111 section 5.2.2.5).
    public var uncached: HTTPResponse {
        var response = self
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}
