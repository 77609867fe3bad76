public import Primitives
import SeededRandom
public import Security

/// Access tokens of made-up people, made with the key of a deployment: for loads whose people need not be registered.
///
/// They stand one behind the other in one piece of memory, since a million of them are 450 MB. Each is made when it is first
/// used or by `makeAll`, and anew when it is about to expire.
public final class DeviceTokens {
    public enum Kind: Sendable {
        /// May upload, as the person's device.
        case device
        /// As the person.
        case individual
    }

    /// In seconds; sooner than the services' clocks could differ by.
    private static let lifeUsed: Int64 = TokenClaims.lifeMax.milliseconds / 1000 - 120

    public let count: Int
    /// Of one token; all have the same length.
    let bytesEach: Int
    private let tokens: AccessTokens
    private let kind: Kind
    private let seed: UInt64
    let devicesEach: Int
    private let memory: UnsafeMutablePointer<UInt8>
    /// Seconds since the epoch.
    private var madeAt: [Int64]

    /// For the devices numbered 0 ..< `count`, of which each person has `devicesEach`: person 0 the first ones. Errors:
    /// `malformed` for a key that signs no token.
    public init(
        of kind: Kind, count: Int, devicesEach: Int = 1, seed: UInt64, key: Ed25519Key
    ) throws(SecurityError) {
        precondition(count > 0, "tokens for nobody")
        self.count = count
        self.kind = kind
        self.seed = seed
        self.devicesEach = devicesEach
        tokens = try AccessTokens(key: key)
        bytesEach = try Self.token(kind, seed, person: 0, device: 0, tokens, .now()).utf8.count
        memory = .allocate(capacity: count * bytesEach)
        madeAt = [Int64](repeating: 0, count: count)
    }

    deinit { memory.deallocate() }

    /// About 35 µs each.
    public func makeAll(at now: Timestamp = .now()) throws(SecurityError) {
        for number in 0..<count { _ = try bytes(number, at: now) }
    }

    /// The account of the person with this number.
    public static func account(_ number: Int, seed: UInt64) -> UUID { id(number, seed, 1) }
    /// The device with this number.
    public static func device(_ number: Int, seed: UInt64) -> UUID { id(number, seed, 2) }

    private static func id(_ number: Int, _ seed: UInt64, _ what: UInt64) -> UUID {
        var generator = SeededGenerator(seed: seed &+ what &* 0x5851_f42d_4c95_7f2d, stream: number)
        let (high, low) = (generator.next(), generator.next())
        // Version 4 (RFC 9562).
        return UUID(high: high & ~0xf000 | 0x4000, low: low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }

    /// The token of a device, good for at least two minutes. It stays until the next call.
    func bytes(_ number: Int, at now: Timestamp) throws(SecurityError) -> UnsafeBufferPointer<UInt8> {
        let seconds = now.milliseconds / 1000
        let slot = memory + number * bytesEach
        if seconds - madeAt[number] > Self.lifeUsed {
            let token = Array(
                try Self.token(kind, seed, person: number / devicesEach, device: number, tokens, now).utf8)
            precondition(token.count == bytesEach, "tokens of different lengths")
            slot.update(from: token, count: token.count)
            madeAt[number] = seconds
        }
        return UnsafeBufferPointer(start: slot, count: bytesEach)
    }

    /// A token of a person's own, good for as long as one may be.
    public static func individual(_ number: Int, seed: UInt64, key: Ed25519Key) throws(SecurityError) -> String {
        try token(.individual, seed, person: number, device: number, AccessTokens(key: key), .now())
    }

    private static func token(
        _ kind: Kind, _ seed: UInt64, person: Int, device: Int, _ tokens: AccessTokens, _ now: Timestamp
    ) throws(SecurityError) -> String {
        let (account, device) = (account(person, seed: seed), Self.device(device, seed: seed))
        return switch kind {
        case .device: try tokens.device(device, of: account, at: now)
        case .individual: try tokens.owner(.individual, of: account, session: device, at: now)
        }
    }
}
