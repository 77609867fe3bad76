import Primitives
import Testing

@testable import Security

@Suite struct FieldCipherTests {
    private let place = FieldLocation("accounts.person.email", row: UUID(high: 1, low: 2))

    private func cipher(_ keys: [String: SecretKey], current: String) throws -> FieldCipher {
        FieldCipher(try KeyRing(keys, current: current))
    }

    @Test(
        "AES-256-GCM, test cases 13, 14 and 16 of the specification submitted to NIST",
        arguments: [
            (
                String(repeating: "00", count: 32), "000000000000000000000000", "", "", "",
                "530f8afbc74536b9a963b4f1c4cb738b"
            ),
            (
                String(repeating: "00", count: 32), "000000000000000000000000", "00000000000000000000000000000000", "",
                "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"
            ),
            (
                "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
                "76fc6ece0f4e1768cddf8853bb2d551b"
            ),
        ])
    func vectors(key: String, nonce: String, text: String, associated: String, sealed: String, tag: String) throws {
        let key = try SecretKey(octets(key))
        let associated = octets(associated)
        // The header is authenticated before the associated data: wherever one ends, the answer is the same.
        for split in [0, associated.count / 2, associated.count] {
            let header = Array(associated[..<split])
            let frame = AES256GCM.seal(
                octets(text), key: key, header: header, associatedData: Array(associated[split...]),
                nonce: octets(nonce))
            #expect(hex(frame) == hex(header) + nonce + sealed + tag)
            let opened = AES256GCM.open(
                frame, headerBytes: split, key: key, associatedData: Array(associated[split...]))
            #expect(opened == octets(text))
        }
    }

    @Test(
        "NFR-05d: what was sealed opens in its place, whatever its length",
        arguments: [0, 1, 15, 16, 17, 32, 1000, 100_000])
    func roundTrip(count: Int) throws {
        let cipher = try cipher(["k1": .random()], current: "k1")
        let plaintext = randomBytes(count)
        let sealed = cipher.seal(plaintext, at: place)
        #expect(sealed.count == count + 4 + 28)
        #expect(try cipher.open(sealed, at: place) == plaintext)
        #expect(cipher.seal(plaintext, at: place) != sealed, "a nonce of its own each time")
    }

    @Test("NFR-05: a text comes back as it was")
    func text() throws {
        let cipher = try cipher(["k1": .random()], current: "k1")
        #expect(try cipher.openText(cipher.seal("Nicolò ☂", at: place), at: place) == "Nicolò ☂")
        #expect(throws: SecurityError.malformed("a sealed text that is not UTF-8")) {
            try cipher.openText(cipher.seal([0xff], at: place), at: place)
        }
    }

    @Test("NFR-05d: a value opens in no other row and no other column")
    func places() throws {
        let cipher = try cipher(["k1": .random()], current: "k1")
        let sealed = cipher.seal("x", at: place)
        for other in [
            FieldLocation("accounts.person.email", row: UUID(high: 1, low: 3)),
            FieldLocation("accounts.person.name", row: UUID(high: 1, low: 2)),
            FieldLocation("accounts.person.email", row: []),
        ] {
            #expect(throws: SecurityError.authenticationFailed) { try cipher.open(sealed, at: other) }
        }
        #expect(FieldLocation("a", row: utf8("bc")) != FieldLocation("ab", row: utf8("c")))
    }

    @Test("NFR-05d: every changed byte and every cut is noticed")
    func tampering() throws {
        let cipher = try cipher(["k1": .random()], current: "k1")
        let sealed = cipher.seal("codice", at: place)
        for changed in tampered(sealed) { #expect(throws: SecurityError.self) { try cipher.open(changed, at: place) } }
        for count in 0..<sealed.count {
            #expect(throws: SecurityError.self) { try cipher.open(Array(sealed.prefix(count)), at: place) }
        }
        #expect(throws: SecurityError.authenticationFailed) { try cipher.open(sealed + [0], at: place) }
    }

    @Test("An unknown key is told apart from a wrong one")
    func keys() throws {
        let sealed = try cipher(["k1": .random()], current: "k1").seal("x", at: place)
        let elsewhere = try cipher(["k2": .random()], current: "k2")
        #expect(throws: SecurityError.unknownKey("k1")) { try elsewhere.open(sealed, at: place) }
        let sameName = try cipher(["k1": .random()], current: "k1")
        #expect(throws: SecurityError.authenticationFailed) { try sameName.open(sealed, at: place) }
    }

    @Test("Rotation: old values open, are not current, and are sealed again")
    func rotation() throws {
        let (old, new) = (SecretKey.random(), SecretKey.random())
        let before = try cipher(["k": old], current: "k")
        let after = try cipher(["k": old, "k2": new], current: "k2")
        let sealed = before.seal("x", at: place)
        #expect(before.isCurrent(sealed))
        #expect(try before.resealed(sealed, at: place) == nil)
        #expect(!after.isCurrent(sealed))
        let again = try #require(try after.resealed(sealed, at: place))
        #expect(after.isCurrent(again))
        #expect(try after.openText(again, at: place) == "x")
        #expect(throws: SecurityError.unknownKey("k2")) { try before.open(again, at: place) }
    }

    @Test("NFR-05d: Each place has a key of its own, so that no key is used too often for random nonces (SP 800-38D)")
    func keyOfPlace() throws {
        let key = SecretKey.random()
        let field = FieldKey(key)
        let other = FieldLocation("accounts.person.email", row: UUID(high: 1, low: 3))
        #expect(field.key(at: place).exposed == field.key(at: place).exposed)
        #expect(field.key(at: place).exposed != field.key(at: other).exposed)
        #expect(field.key(at: place).exposed != key.exposed)
        // SP 800-108r1 section 4.1, one block of HMAC with SHA-256.
        let input = [0, 0, 0, 1] + utf8("trackme field") + [0] + place.associatedData + [0, 0, 1, 0]
        #expect(field.key(at: place).exposed == HMACKey(key).code(for: input))
    }

    @Test("NFR-05: The ring of a cipher can be replaced while it is used")
    func replacing() throws {
        let (old, new) = (SecretKey.random(), SecretKey.random())
        let keys = FieldKeys(try KeyRing(["a": old], current: "a"))
        let cipher = FieldCipher(keys)
        let sealed = cipher.seal("x", at: place)
        keys.replace(with: try KeyRing(["a": old, "b": new], current: "b"))
        #expect(!cipher.isCurrent(sealed))
        let resealed = try #require(try cipher.resealed(sealed, at: place))
        keys.replace(with: try KeyRing(["b": new], current: "b"))
        #expect(try cipher.openText(resealed, at: place) == "x")
        #expect(throws: SecurityError.unknownKey("a")) { try cipher.open(sealed, at: place) }
    }
}
