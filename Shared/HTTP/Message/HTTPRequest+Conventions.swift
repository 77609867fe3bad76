import JSON
import Primitives

/// The conventions of all our APIs.
extension HTTPRequest {
    /// The token of `Authorization: Bearer …` (RFC 6750); `nil` without one or with another scheme.
    public var bearerToken: String? {
        head.withValue(of: "authorization") { value in
            guard let value, value.count > 7, value[6] == Octets.space,
                Octets.equalIgnoringCase(Octets.slice(value, 0, 6), "bearer")
            else { return nil }
            let token = Octets.trimmed(Octets.slice(value, 7, value.count))
            for octet in token where octet <= Octets.space || octet > 126 { return nil }
            return token.isEmpty ? nil : Octets.string(token)
        }
    }

    /// The `Idempotency-Key`: 1 to 255 visible ASCII characters, quoted or not; `nil` without one, 400 for another
    /// value.
    public func idempotencyKey() throws(Problem) -> String? {
        guard var key = field("idempotency-key") else { return nil }
        if key.utf8.count >= 2, key.hasPrefix("\""), key.hasSuffix("\"") { key = String(key.dropFirst().dropLast()) }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw Problem(
                .badRequest, code: "invalid-idempotency-key",
                detail: "Idempotency-Key must be 1 to 255 visible ASCII characters")
        }
        return key
    }

    /// As `idempotencyKey()`, and 400 without one.
    public func requiredIdempotencyKey() throws(Problem) -> String {
        guard let key = try idempotencyKey() else {
            throw Problem(.badRequest, code: "missing-idempotency-key", detail: "send an Idempotency-Key")
        }
        return key
    }

    /// Which of `offers` the client likes best; 406 when none.
    public func negotiate(_ offers: [MediaType]) throws(Problem) -> MediaType {
        let accept = head.values(of: "accept")
        guard let best = MediaType.best(of: offers, accept: accept.isEmpty ? nil : accept.joined(separator: ",")) else {
            throw Problem(
                .notAcceptable, code: "not-acceptable",
                detail: "available: \(offers.map(\.essence).joined(separator: ", "))")
        }
        return best
    }

    /// Whether the client has this version already (`If-None-Match`, weak comparison; RFC 9110 §13.1.2). `etag` is
    /// quoted.
    public func hasCurrent(etag: String) -> Bool {
        let wanted = Self.opaque(etag)
        return head.values(of: "if-none-match").contains { value in
            value == "*" || value.split(separator: ",").contains { Self.opaque($0) == wanted }
        }
    }

    private static func opaque(_ tag: some StringProtocol) -> String {
        var octets = Array(tag.utf8.drop { $0 == Octets.space || $0 == Octets.tab })
        while octets.last == Octets.space || octets.last == Octets.tab { octets.removeLast() }
        if octets.starts(with: "W/".utf8) { octets.removeFirst(2) }
        return String(decoding: octets, as: UTF8.self)
    }
}

/// Opaque cursors of pages that continue after a key: the key as JSON, in base64url.
public enum HTTPCursor {
    public static func encode(_ key: some Encodable) throws(Problem) -> String {
        do throws(JSONError) {
            return Base64.url.encode(try JSONEncoder().encode(key))
        } catch { throw .internalError }
    }

    /// `nil` for a cursor that is not one of ours.
    public static func decode<Key: Decodable>(_ cursor: String, as type: Key.Type = Key.self) -> Key? {
        let limits = JSONLimits(depthMax: 4, bytesMax: 2048, valuesMax: 64)
        guard cursor.utf8.count <= 2048, let octets = Base64.url.decode(cursor) else { return nil }
        return try? JSONDecoder(limits: limits, refusesControlCharacters: true).decode(Key.self, from: octets)
    }
}
