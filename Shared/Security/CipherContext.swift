import COpenSSL
import Glibc

/// A thread's own context of AES-256-GCM, which stays: making one costs several times what encrypting a short value does.
/// Between two uses it holds a key of zeros.
enum CipherContext {
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    private static let slot: pthread_key_t = {
        var slot = pthread_key_t()
        let code = pthread_key_create(&slot) { EVP_CIPHER_CTX_free(OpaquePointer($0)) }
        guard code == 0 else { preconditionFailure("no thread-local storage left") }
        return slot
    }()

    /// 32 bytes of a key, and more than a nonce.
    private static let zeros = [UInt8](repeating: 0, count: 32)

    /// Calls `body` with the context, ready to take what is authenticated and then what is to be encrypted or decrypted.
    static func with<R>(
        _ direction: Direction, key: UnsafePointer<UInt8>, nonce: UnsafePointer<UInt8>, _ body: (OpaquePointer) -> R
    ) -> R {
        let context = current
        start(context, direction, key, nonce)
        defer { start(context, direction, zeros, zeros) }
        return body(context)
    }

    private static var current: OpaquePointer {
        if let known = pthread_getspecific(slot) { return OpaquePointer(known) }
        let context = LibCrypto.require(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
        LibCrypto.require(
            EVP_CipherInit_ex2(context, LibCrypto.aes256GCM, nil, nil, Direction.encrypt.rawValue, nil),
            "EVP_CipherInit_ex2")
        guard pthread_setspecific(slot, UnsafeRawPointer(context)) == 0 else {
            preconditionFailure("no memory for thread-local storage")
        }
        return context
    }

    private static func start(
        _ context: OpaquePointer, _ direction: Direction, _ key: UnsafePointer<UInt8>, _ nonce: UnsafePointer<UInt8>
    ) {
        LibCrypto.require(
            EVP_CipherInit_ex2(context, nil, key, nonce, direction.rawValue, nil), "EVP_CipherInit_ex2")
    }
}
