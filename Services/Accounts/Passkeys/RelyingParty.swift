import JSON
import Primitives
import Security

/// Who asks for passkeys (WebAuthn Level 3, section 5.4.2): the suite by its address. Passkeys hold for the host; what a browser
/// signs names the page's origin, which has to be exactly ours.
struct RelyingParty: Sendable {
    enum Ceremony: String { case creation = "webauthn.create", assertion = "webauthn.get" }

    /// The host of the base URL.
    let id: String
    let origin: String

    init(baseURL: String) {
        let text = baseURL.lowercased()
        let scheme = text.hasPrefix("https://") ? "https" : "http"
        let authority = text.dropFirst(scheme.count + 3).prefix { $0 != "/" }
        let port = authority.lastIndex(of: ":").map { authority[authority.index(after: $0)...] }
        let isStandard = port == (scheme == "https" ? "443" : "80")
        let host = port.map { authority.dropLast($0.count + 1) } ?? authority
        id = String(host)
        origin = "\(scheme)://\(isStandard ? host : authority)"
    }

    /// The challenge of what the browser has signed (section 5.8.1). `nil` unless it is of this ceremony and of our pages, and of no
    /// page inside another site's.
    func challenge(in clientData: [UInt8], _ ceremony: Ceremony) -> OneTimeToken? {
        let limits = JSONLimits(depthMax: 8, bytesMax: 4096, valuesMax: 100)
        guard let data = try? JSONDecoder(limits: limits).decode(JSONValue.self, from: clientData),
            data["type"] == .string(ceremony.rawValue), data["origin"] == .string(origin),
            data["crossOrigin"] != true, case .string(let challenge)? = data["challenge"]
        else { return nil }
        return OneTimeToken(challenge)
    }

    /// Whether an authenticator was asked by our pages, and somebody was there.
    func isOurs(_ data: AuthenticatorData) -> Bool {
        data.isUserPresent && data.relyingPartyHash == Digest.sha256(Array(id.utf8))
    }
}
