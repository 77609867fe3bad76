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
