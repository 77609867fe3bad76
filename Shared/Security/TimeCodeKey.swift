import COpenSSL
public import Primitives

/// The secret that an authenticator app shares with us: it makes a code of six digits each 30 seconds (TOTP, RFC 6238, with
/// HMAC-SHA-1, which all apps know; what is broken in SHA-1 does not concern HMAC).
public struct TimeCodeKey: Sendable {
    /// As RFC 4226 recommends: the length of a hash.
    public static let byteCount = 20
    public static let stepSeconds: Int64 = 30
    /// How far the app's clock may be from ours, in steps: a minute, and the time of typing is in it. RFC 6238 (5.2) recommends
    /// one step for the network alone.
    public static let stepsOff: Int64 = 2

    public let bytes: [UInt8]

    public static func random() -> TimeCodeKey { TimeCodeKey(unchecked: randomBytes(byteCount)) }

    /// Throws `malformed` unless there are 20 bytes.
    public init(_ bytes: [UInt8]) throws(SecurityError) {
        guard bytes.count == Self.byteCount else { throw .malformed("a key of \(bytes.count) bytes for codes") }
        self.init(unchecked: bytes)
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// What people type into an app: base32 (RFC 4648) without padding.
    public var text: String { Base32.encode(bytes) }

    /// The same as apps read it from a QR code. `name`: of the account, percent-encoded.
    public func uri(issuer: String, name: String) -> String {
        "otpauth://totp/\(issuer):\(name)?secret=\(text)&issuer=\(issuer)&algorithm=SHA1&digits=6&period=\(Self.stepSeconds)"
    }

    /// The number of the step that a time is in.
    public static func step(at time: Timestamp) -> Int64 { time.milliseconds / 1000 / stepSeconds }

    /// The code of a step (RFC 4226, 5.3).
    public func code(ofStep step: Int64) -> SixDigitCode {
        let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        _ = LibCrypto.require(
            EVP_Q_mac(
                nil, "HMAC", nil, "SHA1", nil, bytes, bytes.count, counter, counter.count, &hash, hash.count, &count),
            "EVP_Q_mac")
        let place = Int(hash[count - 1] & 0x0f)
        let number = hash[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        return SixDigitCode(number: number % 1_000_000)
    }

    /// The step whose code that is, among those around a time and after `last`, which was used before: each code is good once
    /// (RFC 6238, 5.2). All are compared, so that the time tells nothing.
    public func step(of code: SixDigitCode, at time: Timestamp, after last: Int64) -> Int64? {
        let present = Self.step(at: time)
        var found: Int64?
        for step in present - Self.stepsOff...present + Self.stepsOff
        where self.code(ofStep: step).matches(code) && step > last && found == nil {
            found = step
        }
        return found
    }
}
