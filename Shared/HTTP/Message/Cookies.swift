import Primitives

extension HTTPRequest {
    /// Bytes of a cookie's value that are read at most (RFC 6265 §6.1: what a browser has to keep).
    static let cookieValueBytesMax = 4096

    /// The value of the cookie `name`, whose case counts, from all `Cookie` fields: HTTP/2 splits them (RFC 9113 §8.2.3).
    ///
    /// `nil` when there is none, and when there is more than one: a cookie that a neighbouring host or path has set comes
    /// under the same name, and nothing says which is whose. `nil` also for a value that is empty, longer than 4096 bytes or
    /// not made of `cookie-octet` (RFC 6265 §4.1.1), which has no quotes, spaces, commas and backslashes.
    public func cookie(_ name: String) -> String? {
        head.octets.withUnsafeBytes { octets in
            var found: UnsafeRawBufferPointer?
            for field in head.fields where Octets.equalIgnoringCase(field.name(in: octets), "cookie") {
                let pairs = field.value(in: octets)
                var start = 0
                while start < pairs.count {
                    let end =
                        Octets.index(of: UInt8(ascii: ";"), in: pairs, from: start, to: pairs.count) ?? pairs.count
                    let pair = Octets.trimmed(Octets.slice(pairs, start, end))
                    start = end + 1
                    guard let equals = Octets.index(of: UInt8(ascii: "="), in: pair, from: 0, to: pair.count),
                        Octets.slice(pair, 0, equals).elementsEqual(name.utf8)
                    else { continue }
                    guard found == nil else { return nil }
                    found = Octets.slice(pair, equals + 1, pair.count)
                }
            }
            guard let found, (1...Self.cookieValueBytesMax).contains(found.count),
                found.allSatisfy(ProtectedCookie.isOctet)
            else { return nil }
            return Octets.string(found)
        }
    }
}

/// A cookie for secrets. Scripts cannot read it, and a browser sends it over TLS only, to the host that set it, with
/// requests that pages of the same site make (`SameSite=Strict`).
public struct ProtectedCookie: Sendable {
    /// With `__Host-` or `__Secure-` at its beginning, browsers refuse the cookie from a host that is not entitled to it
    /// (RFC 6265bis §4.1.3).
    public let name: String
    /// Requests for this path, and for what lies below it, carry the cookie.
    public let path: String

    public init(name: String, path: String) {
        assert(!name.hasPrefix("__Host-") || path == "/", "a cookie with __Host- is for all paths")
        self.name = name
        self.path = path
    }

    /// What `request` carries of it; see `HTTPRequest.cookie`.
    public func value(in request: HTTPRequest) -> String? { request.cookie(name) }

    /// `cookie-octet` of RFC 6265 §4.1.1.
    static func isOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"): false
        default: octet > Octets.space && octet < 127
        }
    }

    fileprivate func field(_ value: String, secondsMax: Int64) -> String {
        assert(value.utf8.allSatisfy(Self.isOctet), "the value cannot stand in a cookie")
        return "\(name)=\(value); Path=\(path); Max-Age=\(secondsMax); Secure; HttpOnly; SameSite=Strict"
    }
}

extension HTTPResponse {
    /// Has the browser keep `value` for `life`, in whole seconds. It consists of `cookie-octet`s, 4096 at most.
    public mutating func set(_ cookie: ProtectedCookie, to value: String, for life: Duration) {
        fields.add("Set-Cookie", cookie.field(value, secondsMax: life.milliseconds / 1000))
    }

    /// Has the browser forget the cookie: browsers know it by its name and path.
    public mutating func clear(_ cookie: ProtectedCookie) {
        fields.add("Set-Cookie", cookie.field("", secondsMax: 0))
    }
}
