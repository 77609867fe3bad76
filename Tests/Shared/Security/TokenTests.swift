import JSON
import Primitives
import Testing

@testable import Security

@Suite struct TokenTests {
    private let key = Ed25519Key.random()
    private let now = Timestamp("2026-01-31T12:00:00Z")!

    private var claims: TokenClaims {
        TokenClaims(
            issuer: "https://trackme.example", subject: UUID(high: 1, low: 2), audience: ["accounts", "query"],
            expiresAt: now + .seconds(900), issuedAt: now, identifier: UUID(high: 3, low: 4), kind: .thirdParty,
            scopes: ["requests:read", "requests:write"], session: UUID(high: 5, low: 6), clientIdentifier: "c-1")
    }

    private var verifier: TokenVerifier {
        TokenVerifier(
            keys: JSONWebKeySet([key.publicKey]), issuer: "https://trackme.example", audience: "query",
            leeway: .seconds(5))
    }

    private func parts(_ token: String) -> [String] {
        token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// A token with any header and payload, correctly signed by our key.
    private func signed(_ header: String, _ payload: String) -> String {
        let message = Base64.url.encode(utf8(header)) + "." + Base64.url.encode(utf8(payload))
        return message + "." + Base64.url.encode(key.sign(utf8(message)))
    }

    private var header: String { #"{"alg":"EdDSA","typ":"at+jwt","kid":"\#(key.publicKey.thumbprint)"}"# }
    private var payload: String {
        """
        {"iss":"https://trackme.example","sub":"00000000-0000-0001-0000-000000000002","aud":["query"],\
        "exp":1769861700,"iat":1769860800,"jti":"00000000-0000-0003-0000-000000000004","kind":"individual"}
        """
    }

    private func error(_ token: String, at time: Timestamp? = nil, by verifier: TokenVerifier? = nil) -> SecurityError?
    {
        do throws(SecurityError) {
            _ = try (verifier ?? self.verifier).verify(token, at: time ?? now)
            return nil
        } catch {
            return error
        }
    }

    private func isMalformed(_ token: String) -> Bool {
        if case .malformed = error(token) { true } else { false }
    }

    @Test("ACC-16: claims come back as they were signed", arguments: TokenClaims.Kind.allCases)
    func roundTrip(kind: TokenClaims.Kind) throws {
        var claims = claims
        claims.kind = kind
        #expect(try verifier.verify(TokenSigner(key: key).sign(claims), at: now) == claims)
        claims.scopes = []
        claims.session = nil
        claims.clientIdentifier = nil
        #expect(try verifier.verify(TokenSigner(key: key).sign(claims), at: now) == claims)
    }

    @Test("A token is the JSON Web Token that RFC 7519 and RFC 9068 describe")
    func form() throws {
        let parts = parts(try TokenSigner(key: key).sign(claims))
        #expect(parts.count == 3)
        let head = try #require(Base64.url.decode(parts[0]))
        #expect(String(decoding: head, as: UTF8.self) == header)
        let body = try #require(Base64.url.decode(parts[1]))
        #expect(
            String(decoding: body, as: UTF8.self) == """
                {"iss":"https://trackme.example","sub":"00000000-0000-0001-0000-000000000002","aud":["accounts","query"],\
                "exp":1769861700,"iat":1769860800,"jti":"00000000-0000-0003-0000-000000000004","kind":"third_party",\
                "scope":"requests:read requests:write","sid":"00000000-0000-0005-0000-000000000006","client_id":"c-1"}
                """)
        #expect(error(signed(header, payload)) == nil, "another signer's spelling is as good")
    }

    @Test("ACC-16a: a token ends with its time, give or take the leeway")
    func expiry() throws {
        let token = try TokenSigner(key: key).sign(claims)
        #expect(error(token, at: now + .seconds(904)) == nil)
        #expect(error(token, at: now + .seconds(905)) == .tokenExpired)
        #expect(error(token, at: now + .seconds(90_000)) == .tokenExpired)
    }

    @Test("ACC-16a: A token that is good for longer than the suite's tokens is neither made nor accepted")
    func life() throws {
        let (begin, end) = (payload.replacing("1769861700", with: "1769861701"), "1769860800")
        #expect(isMalformed(signed(header, begin)))
        #expect(isMalformed(signed(header, payload.replacing("1769861700", with: end))))
        #expect(isMalformed(signed(header, payload.replacing("1769861700", with: "253402300799"))))
        var long = claims
        long.expiresAt = now + .seconds(901)
        #expect(throws: SecurityError.self) { try TokenSigner(key: key).sign(long) }
    }

    @Test("ACC-16: A token from the future is refused: else it would outlive what revokes all tokens up to now")
    func future() throws {
        let token = try TokenSigner(key: key).sign(claims)
        // Clocks may differ by a minute, and the token is on its way for some time.
        #expect(error(token, at: now + .seconds(-90)) == nil)
        #expect(error(token, at: now + .seconds(-91)) == .tokenNotYetValid)
    }

    @Test("A token of another issuer or for another audience is refused")
    func foreign() throws {
        let token = try TokenSigner(key: key).sign(claims)
        let keys = JSONWebKeySet([key.publicKey])
        let other = TokenVerifier(keys: keys, issuer: "https://other.example", audience: "query")
        #expect(error(token, by: other) == .tokenNotForUs("another issuer"))
        let dispatcher = TokenVerifier(keys: keys, issuer: "https://trackme.example", audience: "dispatcher")
        #expect(error(token, by: dispatcher) == .tokenNotForUs("another audience"))
        var nobody = claims
        nobody.audience = []
        #expect(error(try TokenSigner(key: key).sign(nobody)) == .tokenNotForUs("another audience"))
    }

    @Test("A token of an unknown key, or of another key under our id, is refused")
    func keys() throws {
        let stranger = Ed25519Key.random()
        #expect(error(try TokenSigner(key: stranger).sign(claims)) == .unknownKey(stranger.publicKey.thumbprint))
        let message = parts(signed(header, payload)).prefix(2).joined(separator: ".")
        #expect(error(message + "." + Base64.url.encode(stranger.sign(utf8(message)))) == .authenticationFailed)
        let both = TokenVerifier(
            keys: JSONWebKeySet([key.publicKey, stranger.publicKey]), issuer: "https://trackme.example",
            audience: "query")
        #expect(error(try TokenSigner(key: stranger).sign(claims), by: both) == nil, "during rotation")
    }

    @Test(
        "Other algorithms and types are refused, even signed by us",
        arguments: [
            #""alg":"none","typ":"at+jwt""#, #""alg":"None","typ":"at+jwt""#, #""alg":"HS256","typ":"at+jwt""#,
            #""alg":"ES256","typ":"at+jwt""#, #""alg":"eddsa","typ":"at+jwt""#, #""alg":["EdDSA"],"typ":"at+jwt""#,
            #""alg":null,"typ":"at+jwt""#, #""typ":"at+jwt""#, #""alg":"EdDSA","typ":"JWT""#, #""alg":"EdDSA""#,
            #""alg":"EdDSA","typ":"at+jwt","crit":["b64"]"#, #""alg":"EdDSA","typ":"at+jwt","crit":"x""#,
            #""alg":"EdDSA","alg":"EdDSA","typ":"at+jwt""#,
        ])
    func algorithms(fields: String) {
        let header = #"{\#(fields),"kid":"\#(key.publicKey.thumbprint)"}"#
        #expect(isMalformed(signed(header, payload)))
    }

    @Test("alg none without a signature, and HS256 with the public key as secret, are refused")
    func confusion() {
        let none = header.replacing("EdDSA", with: "none")
        #expect(isMalformed(Base64.url.encode(utf8(none)) + "." + Base64.url.encode(utf8(payload)) + "."))
        let symmetric = header.replacing("EdDSA", with: "HS256")
        let message = Base64.url.encode(utf8(symmetric)) + "." + Base64.url.encode(utf8(payload))
        let code = HMACKey(key.publicKey.bytes).code(for: utf8(message))
        #expect(isMalformed(message + "." + Base64.url.encode(code)))
        let honest = Base64.url.encode(utf8(header)) + "." + Base64.url.encode(utf8(payload))
        let forged = HMACKey(key.publicKey.bytes).code(for: utf8(honest))
        #expect(error(honest + "." + Base64.url.encode(forged)) == .authenticationFailed)
        #expect(error(honest + ".") == .authenticationFailed)
    }

    @Test("Every changed character and every cut is noticed")
    func tampering() throws {
        let token = signed(header, payload)
        for changed in tampered(utf8(token)) {
            #expect(error(String(decoding: changed, as: UTF8.self)) != nil)
        }
        for count in 0..<token.utf8.count { #expect(error(String(token.prefix(count))) != nil) }
    }

    @Test("Extra parts, padding, white space and spare bits are refused")
    func spelling() {
        let token = signed(header, payload)
        let parts = parts(token)
        // 64 bytes leave four spare bits in the last character, which must be zero.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = alphabet.firstIndex(of: token.last!)!
        for wrong in [
            "", ".", "..", "...", token + ".", "." + token, token + "." + parts[2], token + "=", token + "==",
            token + "\n",
            " " + token, token.dropLast() + String(alphabet[last + 1]), parts[0] + "." + parts[1],
            [parts[0], "", parts[2]].joined(separator: "."),
            [parts[0] + "=", parts[1], parts[2]].joined(separator: "."),
            token + String(repeating: "A", count: 5000),
        ] {
            #expect(error(String(wrong)) != nil)
        }
        #expect(isMalformed(token.dropLast() + String(alphabet[last + 1])))
    }

    @Test(
        "Claims of the wrong shape are refused, even signed by us",
        arguments: [
            ("\"exp\":1769861700", "\"exp\":\"1769861700\""), ("\"exp\":1769861700", "\"exp\":1e300"),
            ("\"exp\":1769861700", "\"exp\":9223372036854775807"), ("\"exp\":1769861700", "\"exp\":-1"),
            ("\"exp\":1769861700,", ""), ("\"iat\":1769860800,", ""), ("[\"query\"]", "[1]"), ("individual", "admin"),
            ("00000000-0000-0001-0000-000000000002", "root"), ("\"kind\"", "\"sub\":\"x\",\"kind\""),
        ])
    func shapes(from: String, to: String) {
        let changed = payload.replacing(from, with: to)
        #expect(changed != payload)
        #expect(isMalformed(signed(header, changed)))
    }

    @Test("A token longer than verifiers accept is not made")
    func length() throws {
        var claims = claims
        claims.scopes = (0..<400).map { "scope-\($0)" }
        #expect(throws: SecurityError.self) { try TokenSigner(key: key).sign(claims) }
    }
}
