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
    private let owners: Owners
    let devicesEach: Int
    private let memory: UnsafeMutablePointer<UInt8>
    /// Seconds since the epoch.
    private var madeAt: [Int64]

    /// Whose tokens they are.
    private enum Owners {
        case madeUp(seed: UInt64)
        /// The devices of one account that there is.
        case account(UUID, devices: [UUID])
        /// People that there are, with a device each.
        case people([(account: UUID, device: UUID)])

        func ids(person: Int, device: Int) -> (account: UUID, device: UUID) {
            switch self {
            case .madeUp(let seed): (DeviceTokens.account(person, seed: seed), DeviceTokens.device(device, seed: seed))
            case .account(let account, let devices): (account, devices[device])
            case .people(let people): people[person]
            }
        }
    }

    /// For the devices numbered 0 ..< `count`, of which each person has `devicesEach`: person 0 the first ones. Errors:
    /// `malformed` for a key that signs no token.
    public convenience init(
        of kind: Kind, count: Int, devicesEach: Int = 1, seed: UInt64, key: Ed25519Key
    ) throws(SecurityError) {
        try self.init(kind, .madeUp(seed: seed), count, devicesEach, key)
    }

    /// For the devices of an account that there is. Errors: as above.
    public convenience init(of account: UUID, devices: [UUID], key: Ed25519Key) throws(SecurityError) {
        try self.init(.device, .account(account, devices: devices), devices.count, devices.count, key)
    }

    /// For people that there are, with a device each. Errors: as above.
    public convenience init(
        of people: [(account: UUID, device: UUID)], key: Ed25519Key
    ) throws(SecurityError) {
        try self.init(.device, .people(people), people.count, 1, key)
    }

    private init(
        _ kind: Kind, _ owners: Owners, _ count: Int, _ devicesEach: Int, _ key: Ed25519Key
    ) throws(SecurityError) {
        precondition(count > 0, "tokens for nobody")
        self.count = count
        self.kind = kind
        self.owners = owners
        self.devicesEach = devicesEach
        tokens = try AccessTokens(key: key)
        bytesEach = try Self.token(kind, owners.ids(person: 0, device: 0), tokens, .now()).utf8.count
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
                try Self.token(kind, owners.ids(person: number / devicesEach, device: number), tokens, now).utf8)
            precondition(token.count == bytesEach, "tokens of different lengths")
            slot.update(from: token, count: token.count)
            madeAt[number] = seconds
        }
        return UnsafeBufferPointer(start: slot, count: bytesEach)
    }

    /// A token of a person's own, good for as long as one may be.
    public static func individual(_ number: Int, seed: UInt64, key: Ed25519Key) throws(SecurityError) -> String {
        let owner = Owners.madeUp(seed: seed).ids(person: number, device: number)
        return try token(.individual, owner, AccessTokens(key: key), .now())
    }

    private static func token(
        _ kind: Kind, _ owner: (account: UUID, device: UUID), _ tokens: AccessTokens, _ now: Timestamp
    ) throws(SecurityError) -> String {
        switch kind {
        case .device: try tokens.device(owner.device, of: owner.account, at: now)
        case .individual: try tokens.owner(.individual, of: owner.account, session: owner.device, at: now)
        }
    }
}
