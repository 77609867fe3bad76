import COpenSSL
import Synchronization

/// A key for HMAC-SHA-256 (RFC 2104), prepared once and usable from any thread.
public final class HMACKey: Sendable {
    /// Bytes of a code.
    public static let codeByteCount = 32

    /// The keyed state, which starts anew for each code: a copy of it costs more than the code of a short value.
    private let keyed: Mutex<Keyed>

    /// Sendable without the compiler's proof: it is used under the lock only.
    private struct Keyed: @unchecked Sendable {
        let context: OpaquePointer
    }

    /// Any count of bytes; more than 64 are hashed first, as RFC 2104 says.
    public convenience init(_ key: [UInt8]) {
        self.init(key.withUnsafeBytes(Self.prepare))
    }

    public convenience init(_ key: SecretKey) {
        self.init(Self.prepare(UnsafeRawBufferPointer(start: key.bytes, count: SecretKey.byteCount)))
    }

    private init(_ keyed: OpaquePointer) {
        self.keyed = Mutex(Keyed(context: keyed))
    }

    deinit { keyed.withLock { EVP_MAC_CTX_free($0.context) } }

    /// The code of the bytes: 32 bytes.
    public func code(for bytes: [UInt8]) -> [UInt8] { code(for: [bytes]) }

    /// The code of the parts put together.
    public func code(for parts: [[UInt8]]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.codeByteCount) { buffer, initialized in
            guard let output = buffer.baseAddress else { return }
            write(codeFor: parts, to: output)
            initialized = Self.codeByteCount
        }
    }

    /// The code of the parts as a key, which is wiped when it goes.
    func derivedKey(of parts: [[UInt8]]) -> SecretKey { SecretKey { write(codeFor: parts, to: $0) } }

    private func write(codeFor parts: [[UInt8]], to output: UnsafeMutablePointer<UInt8>) {
        let count = keyed.withLock { keyed in
            LibCrypto.require(EVP_MAC_init(keyed.context, nil, 0, nil), "EVP_MAC_init")
            for part in parts {
                part.withUnsafeBufferPointer {
                    LibCrypto.require(EVP_MAC_update(keyed.context, $0.baseAddress, $0.count), "EVP_MAC_update")
                }
            }
            var count = 0
            LibCrypto.require(EVP_MAC_final(keyed.context, output, &count, Self.codeByteCount), "EVP_MAC_final")
            return count
        }
        precondition(count == Self.codeByteCount, "libcrypto: a code of \(count) bytes")
    }

    /// Whether the code is the right one, in constant time.
    public func isValid(_ code: [UInt8], for bytes: [UInt8]) -> Bool { constantTimeEqual(code, self.code(for: bytes)) }

    private static func prepare(_ key: UnsafeRawBufferPointer) -> OpaquePointer {
        let context = LibCrypto.require(EVP_MAC_CTX_new(LibCrypto.hmac), "EVP_MAC_CTX_new")
        LibCrypto.require(
            tm_HMAC_SHA256_init(context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count),
            "EVP_MAC_init")
        return context
    }
}
