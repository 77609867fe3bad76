import Primitives
import Testing

@testable import Security

@Suite struct KeyRingTests {
    private let place = FieldLocation("a.b.c", row: [])

    @Test("NFR-05: a ring on disk is used, and rotated by adding a key")
    func directory() throws {
        try withTemporaryDirectory { directory in
            write(Base64.standard.encode(repeated(1, 32)), to: "\(directory)/2026-01.key")
            write("2026-01\n", to: "\(directory)/current")
            let sealed = FieldCipher(try KeyRing.load(directory: directory)).seal("x", at: place)
            write(Base64.standard.encode(repeated(2, 32)) + "\n", to: "\(directory)/2026-02.key")
            write("notes", to: "\(directory)/README", mode: 0o644)
            // First every replica knows it, then one after the other uses it.
            let known = try KeyRing.load(directory: directory)
            #expect(known.currentIdentifier == "2026-01" && known.identifiers == ["2026-01", "2026-02"])
            write("2026-02\n", to: "\(directory)/current")
            let ring = try KeyRing.load(directory: directory)
            #expect(ring.currentIdentifier == "2026-02")
            let opened = try FieldCipher(ring).openText(sealed, at: place)
            #expect(opened == "x")
            #expect(!FieldCipher(ring).isCurrent(sealed))
        }
    }

    @Test("NFR-05: a key that everybody may read is refused")
    func mode() throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/k.key"
            write(Base64.standard.encode(repeated(1, 32)), to: path, mode: 0o604)
            #expect(
                throws: SecurityError.keyFile(
                    path: path, reason: "accessible to everybody; its mode should be 0600 or 0640")
            ) { try SecretKey.load(file: path) }
            write(Base64.standard.encode(repeated(1, 32)), to: path, mode: 0o640)
            let key = try SecretKey.load(file: path)
            #expect(key.exposed == repeated(1, 32))
        }
    }

    @Test(
        "Malformed key files are refused",
        arguments: [
            "", " \n", "AAAA", String(repeating: "A", count: 44), String(repeating: "!", count: 44),
            String(repeating: "A", count: 20_000),
        ])
    func malformed(text: String) throws {
        try withTemporaryDirectory { directory in
            write(text, to: "\(directory)/k.key")
            write("k", to: "\(directory)/current")
            #expect(throws: SecurityError.self) { try KeyRing.load(directory: directory) }
        }
    }

    @Test("A ring without its marker, or with one that names nothing, is refused")
    func marker() throws {
        try withTemporaryDirectory { directory in
            #expect(throws: SecurityError.self) { try KeyRing.load(directory: directory + "/missing") }
            write(Base64.standard.encode(repeated(1, 32)), to: "\(directory)/k.key")
            #expect(throws: SecurityError.self) { try KeyRing.load(directory: directory) }
            write("other\n", to: "\(directory)/current")
            #expect(
                throws: SecurityError.keyFile(path: "\(directory)/current", reason: "names no key of this directory")
            ) { try KeyRing.load(directory: directory) }
            write("k\n", to: "\(directory)/current")
            let ring = try KeyRing.load(directory: directory)
            #expect(ring.currentIdentifier == "k")
        }
    }

    @Test(
        "Key ids are 1 to 32 letters, digits, - and _",
        arguments: ["", "a b", "ä", "../x", String(repeating: "k", count: 33)])
    func identifiers(identifier: String) throws {
        #expect(throws: SecurityError.self) { try KeyRing([identifier: .random()], current: identifier) }
        #expect(throws: SecurityError.unknownKey("x")) { try KeyRing(["k": .random()], current: "x") }
    }

    @Test("A key is 32 bytes and never printed", arguments: [0, 31, 33])
    func keys(count: Int) throws {
        #expect(throws: SecurityError.self) { try SecretKey(repeated(0x41, count)) }
        #expect("\(try SecretKey(repeated(0x41, 32)))" == "SecretKey")
    }

    @Test("ACC-16: Signing keys come from one file, or from a directory with one that is current")
    func signingKeys() throws {
        try withTemporaryDirectory { directory in
            let (old, new) = (Ed25519Key.random(), Ed25519Key.random())
            try old.save(file: "\(directory)/2026.pem")
            #expect(throws: SecurityError.self) { try SigningKeyRing.load(directory) }
            try new.save(file: "\(directory)/2027.pem")
            write("2027\n", to: "\(directory)/current")
            let ring = try SigningKeyRing.load(directory)
            #expect(ring.current.publicKey == new.publicKey)
            #expect(ring.keys.map(\.publicKey) == [new.publicKey, old.publicKey])
            let file = try SigningKeyRing.load("\(directory)/2026.pem")
            #expect(file.keys.map(\.publicKey) == [old.publicKey])
        }
    }
}
