import COpenSSL
import Primitives

/// 32 secret bytes, wiped from memory when the last reference goes. Never printed.
public final class SecretKey: Sendable, CustomStringConvertible {
    public static let byteCount = 32

    // The memory is written in the initialiser only, so that any thread may read it.
    nonisolated(unsafe) let bytes: UnsafePointer<UInt8>

    /// Refuses any other count than 32.
    public init(_ bytes: [UInt8]) throws(SecurityError) {
        guard bytes.count == Self.byteCount else { throw .malformed("a key of \(bytes.count) bytes instead of 32") }
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.byteCount)
        for (index, byte) in bytes.enumerated() { (memory + index).initialize(to: byte) }
        self.bytes = UnsafePointer(memory)
    }

    /// `fill` writes all 32 bytes.
    init(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.byteCount)
        memory.initialize(repeating: 0, count: Self.byteCount)
        fill(memory)
        bytes = UnsafePointer(memory)
    }

    deinit {
        OPENSSL_cleanse(UnsafeMutablePointer(mutating: bytes), Self.byteCount)
        bytes.deallocate()
    }

    /// A new key from the system's generator.
    public static func random() -> SecretKey {
        SecretKey { fillWithRandomBytes(UnsafeMutableRawBufferPointer(start: $0, count: byteCount)) }
    }

    /// A file with 32 bytes as padded base64 and nothing else but white space around it. Not readable by everybody.
    public static func load(file path: String) throws(SecurityError) -> SecretKey {
        let text = try SecretFile.text(path)
        guard let bytes = Base64.standard.decode(text), bytes.count == byteCount else {
            throw .keyFile(path: path, reason: "not 32 bytes in base64")
        }
        return try SecretKey(bytes)
    }

    /// The bytes themselves, for wrapping them with another key.
    var exposed: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: Self.byteCount)) }

    public var description: String { "SecretKey" }
}
