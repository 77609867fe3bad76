import Primitives
import Testing

@testable import Security

@Suite struct Ed25519Tests {
    @Test(
        "Ed25519 of RFC 8032, section 7.1",
        arguments: [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
        ])
    func vectors(seed: String, point: String, message: String, signature: String) throws {
        let key = Ed25519Key(seed: try SecretKey(octets(seed)))
        #expect(hex(key.publicKey.bytes) == point)
        #expect(hex(key.sign(octets(message))) == signature)
        #expect(try Ed25519PublicKey(octets(point)).isValid(octets(signature), for: octets(message)))
    }

    @Test("A signature of RFC 8037, appendix A.4, and the thumbprint of A.3")
    func rfc8037() throws {
        let seed = try #require(Base64.url.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        let key = Ed25519Key(seed: try SecretKey(seed))
        let message = utf8("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc")
        #expect(
            Base64.url.encode(key.sign(message))
                == "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
        #expect(key.publicKey.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test("A key in PEM of RFC 8410, section 10.3")
    func rfc8410() throws {
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
            -----END PRIVATE KEY-----

            """
        let key = try Ed25519Key(pem: pem)
        #expect(hex(key.publicKey.bytes) == "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")
        #expect(key.pem == pem)
    }

    @Test("Changed messages, signatures and other keys do not verify")
    func tampering() throws {
        let key = Ed25519Key.random()
        let message = utf8("sentinella")
        let signature = key.sign(message)
        #expect(key.publicKey.isValid(signature, for: message))
        #expect(!Ed25519Key.random().publicKey.isValid(signature, for: message))
        for changed in tampered(signature) { #expect(!key.publicKey.isValid(changed, for: message)) }
        for changed in tampered(message) { #expect(!key.publicKey.isValid(signature, for: changed)) }
        for wrong in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(!key.publicKey.isValid(wrong, for: message))
        }
    }

    @Test("A signature with S beyond the group's order is refused (RFC 8032 section 5.1.7)")
    func malleability() throws {
        let key = Ed25519Key.random()
        var signature = key.sign([1])
        let order = octets("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signature[32 + index]) + Int(order[index]) + carry
            signature[32 + index] = UInt8(sum & 255)
            carry = sum >> 8
        }
        #expect(!key.publicKey.isValid(signature, for: [1]))
    }

    @Test("A key survives its file, which is written once and private")
    func file() throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/signing.pem"
            let key = Ed25519Key.random()
            try key.save(file: path)
            let loaded = try Ed25519Key.load(file: path)
            #expect(loaded.publicKey == key.publicKey)
            #expect(throws: SecurityError.self, "never overwritten") { try Ed25519Key.random().save(file: path) }
            write(key.pem, to: path, mode: 0o644)
            #expect(throws: SecurityError.self, "readable by everybody") { try Ed25519Key.load(file: path) }
        }
    }

    @Test(
        "Other things than an unencrypted Ed25519 key are refused",
        arguments: [
            "", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
            // An X25519 key of RFC 8410's form.
            "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n",
        ])
    func refused(pem: String) {
        #expect(throws: SecurityError.self) { try Ed25519Key(pem: pem) }
    }

    @Test("A public key is 32 bytes", arguments: [0, 31, 33])
    func publicKeys(count: Int) {
        #expect(throws: SecurityError.malformed("not an Ed25519 public key")) {
            try Ed25519PublicKey(repeated(1, count))
        }
    }
}
