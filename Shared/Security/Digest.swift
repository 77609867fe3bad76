import COpenSSL

/// A cryptographic hash (FIPS 180-4), of bytes at once or piece by piece.
public struct Digest: ~Copyable {
    public enum Algorithm: Sendable {
        case sha256, sha512
        /// For version 5 UUIDs only, where RFC 9562 asks for it: SHA-1 is broken.
        case sha1ForIdentifiers

        /// Bytes of the hash.
        public var byteCount: Int {
            switch self {
            case .sha1ForIdentifiers: 20
            case .sha256: 32
            case .sha512: 64
            }
        }

        fileprivate var implementation: OpaquePointer {
            switch self {
            case .sha1ForIdentifiers: LibCrypto.sha1
            case .sha256: LibCrypto.sha256
            case .sha512: LibCrypto.sha512
            }
        }
    }

    private let context: OpaquePointer
    private let algorithm: Algorithm

    public init(_ algorithm: Algorithm) {
        self.algorithm = algorithm
        context = LibCrypto.require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        LibCrypto.require(EVP_DigestInit_ex2(context, algorithm.implementation, nil), "EVP_DigestInit_ex2")
    }

    deinit { EVP_MD_CTX_free(context) }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        LibCrypto.require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count), "EVP_DigestUpdate")
    }

    public mutating func update(_ bytes: [UInt8]) {
        let context = context
        bytes.withUnsafeBytes {
            LibCrypto.require(EVP_DigestUpdate(context, $0.baseAddress, $0.count), "EVP_DigestUpdate")
        }
    }

    /// The hash of everything given so far.
    public consuming func finish() -> [UInt8] {
        let context = context
        return [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { buffer, initialized in
            var count: UInt32 = 0
            LibCrypto.require(EVP_DigestFinal_ex(context, buffer.baseAddress, &count), "EVP_DigestFinal_ex")
            initialized = Int(count)
        }
    }

    /// 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, .sha256) }

    /// 64 bytes.
    public static func sha512(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, .sha512) }

    static func hash(_ bytes: [UInt8], _ algorithm: Algorithm) -> [UInt8] {
        var digest = Digest(algorithm)
        digest.update(bytes)
        return digest.finish()
    }
}
