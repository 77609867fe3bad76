import Primitives
import Testing

@testable import Security

@Suite struct DigestTests {
    @Test(
        "SHA-256 of the examples of FIPS 180",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func sha256(message: String, hash: String) {
        #expect(hex(Digest.sha256(utf8(message))) == hash)
    }

    @Test("SHA-512 of the example of FIPS 180")
    func sha512() {
        #expect(
            hex(Digest.sha512(utf8("abc")))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        )
    }

    @Test("A hash in pieces is the hash of the whole", arguments: [Digest.Algorithm.sha256, .sha512])
    func streaming(algorithm: Digest.Algorithm) {
        let message = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var digest = Digest(algorithm)
        var rest = message[...]
        var size = 0
        while !rest.isEmpty {
            digest.update(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            size += 7
        }
        let hash = digest.finish()
        #expect(hash == Digest.hash(message, algorithm))
        #expect(hash.count == algorithm.byteCount)
    }

    @Test(
        "HMAC-SHA-256 of RFC 4231",
        arguments: [
            (repeated(0x0b, 20), utf8("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                utf8("Jefe"), utf8("what do ya want for nothing?"),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                repeated(0xaa, 20), repeated(0xdd, 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                repeated(0xaa, 131), utf8("Test Using Larger Than Block-Size Key - Hash Key First"),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ])
    func hmac(key: [UInt8], message: [UInt8], code: String) {
        let prepared = HMACKey(key)
        #expect(hex(prepared.code(for: message)) == code)
        #expect(hex(prepared.code(for: message.map { [$0] })) == code, "in pieces, and the key used a second time")
        #expect(prepared.isValid(octets(code), for: message))
        #expect(!prepared.isValid(octets(code), for: message + [0]))
    }

    @Test(
        "HKDF-SHA-256 of RFC 5869",
        arguments: [
            (
                octets("000102030405060708090a0b0c"), octets("f0f1f2f3f4f5f6f7f8f9"),
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            ([], [], "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
        ])
    func hkdf(salt: [UInt8], info: [UInt8], output: String) {
        let derived = repeated(0x0b, 22).withUnsafeBytes { HKDF.derive(from: $0, salt: salt, info: info, count: 42) }
        #expect(hex(derived) == output)
    }

    @Test("The version 5 UUID of RFC 9562, appendix A.4")
    func namedUUID() {
        let named = UUID.named(utf8("www.example.com"), in: .dnsNamespace)
        #expect(named.description == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }

    @Test("Comparison in constant time agrees with ==")
    func comparison() {
        let bytes = octets("00ff10")
        #expect(constantTimeEqual(bytes, bytes))
        #expect(constantTimeEqual([], []))
        #expect(!constantTimeEqual(bytes, Array(bytes.dropLast())))
        for changed in tampered(bytes) { #expect(!constantTimeEqual(bytes, changed)) }
    }
}
