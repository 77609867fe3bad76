import COpenSSL
import Primitives

/// A password as it is stored: scrypt (RFC 7914) in the PHC string format, `$scrypt$ln=17,r=8,p=1$salt$hash` with
/// unpadded base64. Hashing takes a third of a second and 128 MiB on purpose: call it on a blocking pool, few at a
/// time.
public struct PasswordHash: Sendable, Equatable, CustomStringConvertible {
    /// The cost of a hash: 128 · r · 2^ln bytes of memory, and time in proportion to p times that.
    public struct Parameters: Sendable, Equatable {
        public let logarithmicCost: Int
        public let blockSize: Int
        public let parallelism: Int

        /// N = 2¹⁷, r = 8, p = 1, as OWASP recommends: 128 MiB (NFR-05).
        public static let standard = Parameters(uncheckedCost: 17, blockSize: 8, parallelism: 1)

        static let memoryBytesMax = 256 << 20
        /// Blocks mixed: what the time is proportional to.
        static let workMax = 1 << 22

        /// `nil` beyond 256 MiB or four times the standard's time, so that a stored string cannot exhaust the machine.
        public init?(logarithmicCost: Int, blockSize: Int, parallelism: Int) {
            guard (1...20).contains(logarithmicCost), (1...32).contains(blockSize), (1...16).contains(parallelism),
                // RFC 7914 section 2: N is less than 2^(128 r / 8).
                logarithmicCost < 16 * blockSize,
                128 * blockSize << logarithmicCost <= Self.memoryBytesMax,
                blockSize * parallelism << logarithmicCost <= Self.workMax
            else { return nil }
            self.init(uncheckedCost: logarithmicCost, blockSize: blockSize, parallelism: parallelism)
        }

        private init(uncheckedCost: Int, blockSize: Int, parallelism: Int) {
            logarithmicCost = uncheckedCost
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        fileprivate var text: String { "ln=\(logarithmicCost),r=\(blockSize),p=\(parallelism)" }
    }

    static let saltBytes = 16
    static let hashBytes = 32

    public let parameters: Parameters
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a new password with a random salt: its UTF-8, in the one form of all its spellings (RFC 8265 section 4.2).
    public init(_ password: String, parameters: Parameters = .standard) {
        let salt = randomBytes(Self.saltBytes)
        self.init(
            parameters: parameters, salt: salt,
            hash: Self.scrypt(Self.bytes(of: password), salt: salt, parameters: parameters, count: Self.hashBytes))
    }

    /// Reads a stored string; throws `malformed`, also for parameters beyond the limits.
    public init(stored text: String) throws(SecurityError) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard text.utf8.count <= 256, parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let parameters = Self.parameters(parts[2]), let salt = Self.unpadded(parts[3]),
            let hash = Self.unpadded(parts[4]), (8...64).contains(salt.count), (16...64).contains(hash.count)
        else { throw .malformed("not a stored password") }
        self.init(parameters: parameters, salt: salt, hash: hash)
    }

    /// A hash that no password is known for: checked against when the name is unknown, so that the answer takes as long
    /// as for a wrong password (ACC-07).
    public static func decoy(parameters: Parameters = .standard) -> PasswordHash {
        PasswordHash(
            parameters: parameters, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes))
    }

    private init(parameters: Parameters, salt: [UInt8], hash: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    /// Whether this is the password, with the parameters it was hashed with.
    public func matches(_ password: String) -> Bool {
        constantTimeEqual(
            hash, Self.scrypt(Self.bytes(of: password), salt: salt, parameters: parameters, count: hash.count))
    }

    private static func bytes(of password: String) -> [UInt8] { Array(OpaqueString.prepared(password).utf8) }

    /// The PHC string.
    public var description: String {
        let (salt, hash) = (Base64.standard.encode(salt), Base64.standard.encode(hash))
        return "$scrypt$\(parameters.text)$\(salt.prefix { $0 != "=" })$\(hash.prefix { $0 != "=" })"
    }

    static func scrypt(_ password: [UInt8], salt: [UInt8], parameters: Parameters, count: Int) -> [UInt8] {
        let (cost, size, lanes) = (1 << parameters.logarithmicCost, parameters.blockSize, parameters.parallelism)
        // What libcrypto counts: V, B and one block more.
        let memoryBytes = 128 * size * (cost + lanes + 2)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let status = password.withUnsafeBytes { password in
                EVP_PBE_scrypt(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
                    UInt64(cost), UInt64(size), UInt64(lanes), UInt64(memoryBytes), buffer.baseAddress, count)
            }
            LibCrypto.require(status, "EVP_PBE_scrypt")
            initialized = count
        }
    }

    private static func parameters(_ text: Substring) -> Parameters? {
        var values: [Int] = []
        for (part, name) in zip(text.split(separator: ",", omittingEmptySubsequences: false), ["ln=", "r=", "p="]) {
            guard part.hasPrefix(name), part.utf8.count <= 6, let value = Int(part.dropFirst(name.count)) else {
                return nil
            }
            values.append(value)
        }
        guard values.count == 3,
            let parameters = Parameters(logarithmicCost: values[0], blockSize: values[1], parallelism: values[2]),
            // One spelling only: no signs, leading zeros or further parts.
            parameters.text == text
        else { return nil }
        return parameters
    }

    private static func unpadded(_ text: Substring) -> [UInt8]? {
        guard !text.utf8.contains(UInt8(ascii: "=")) else { return nil }
        return Base64.standard.decode(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
