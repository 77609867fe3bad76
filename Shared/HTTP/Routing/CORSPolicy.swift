/// Which web pages of other origins may call this API (Fetch standard, CORS protocol).
public struct CORSPolicy: Sendable {
    /// Allowed values of `Origin`; empty allows none, `["*"]` any, without credentials.
    public var origins: [String]
    public var requestFields: [String]
    public var responseFields: [String]
    /// How long a browser may remember the answer to a preflight.
    public var maxAgeSeconds: Int

    public init(
        origins: [String], requestFields: [String] = ["Authorization", "Content-Type", "Idempotency-Key"],
        responseFields: [String] = ["ETag", "Location", "RateLimit", "Retry-After"], maxAgeSeconds: Int = 600
    ) {
        self.origins = origins
        self.requestFields = requestFields
        self.responseFields = responseFields
        self.maxAgeSeconds = maxAgeSeconds
    }

    func apply(to response: inout HTTPResponse, for request: HTTPRequest, methods: [HTTPMethod]?) {
        response.fields.add("Vary", "Origin")
        guard let origin = request.field("origin"), let allowed = allowedOrigin(origin) else { return }
        response.fields["Access-Control-Allow-Origin"] = allowed
        if let methods {
            response.fields["Access-Control-Allow-Methods"] = methods.map(\.description).joined(separator: ", ")
            response.fields["Access-Control-Allow-Headers"] = requestFields.joined(separator: ", ")
            response.fields["Access-Control-Max-Age"] = String(maxAgeSeconds)
        } else {
            response.fields["Access-Control-Expose-Headers"] = responseFields.joined(separator: ", ")
        }
    }

    private func allowedOrigin(_ origin: String) -> String? {
        if origins.contains("*") { return "*" }
        return origins.contains(origin) ? origin : nil
    }
}
