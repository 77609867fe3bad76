/// The header of our tokens (RFC 7515, RFC 9068): one algorithm, one type, so that there is nothing to negotiate.
struct TokenHeader: Codable {
    static let algorithm = "EdDSA"
    static let type = "at+jwt"

    var alg = Self.algorithm
    var typ = Self.type
    let kid: String
    /// Extensions that a verifier must know; we know none (RFC 7515 section 4.1.11).
    var crit: [String]?

    init(kid: String) {
        self.kid = kid
    }
}
