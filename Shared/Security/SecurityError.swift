/// Why something was refused. The texts name what was wrong, never a secret, and are fit for a log.
public enum SecurityError: Error, Sendable, Equatable {
    /// The input does not have the form that it should have.
    case malformed(String)
    /// Encrypted or signed with a key that is not in the ring, named by its id.
    case unknownKey(String)
    /// Wrong key, wrong place or altered bytes: cryptography cannot tell which.
    case authenticationFailed
    /// A file with a key cannot be used.
    case keyFile(path: String, reason: String)
    /// The token's time is over (RFC 7519 section 4.1.4).
    case tokenExpired
    /// The token was issued in the future: one of two clocks is wrong (RFC 7519 section 4.1.6).
    case tokenNotYetValid
    /// The token is signed, but by another issuer or for another audience.
    case tokenNotForUs(String)
    /// A webhook's timestamp is too far from the present.
    case timestampOutsideTolerance
    /// The audit trail is broken at this entry (NFR-06).
    case auditBroken(sequence: Int64, AuditFault)
}
