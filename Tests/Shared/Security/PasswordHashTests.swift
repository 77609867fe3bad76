import Primitives
import Testing

@testable import Security

@Suite struct PasswordHashTests {
    private let quick = PasswordHash.Parameters(logarithmicCost: 4, blockSize: 8, parallelism: 1)!

    @Test(
        "NFR-05c: scrypt of RFC 7914, section 12",
        arguments: [
            (
                "", "", 4, 1, 1,
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", 10, 8, 16,
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
            (
                "pleaseletmein", "SodiumChloride", 14, 8, 1,
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
            ),
        ])
    func vectors(password: String, salt: String, cost: Int, size: Int, lanes: Int, output: String) throws {
        let parameters = try #require(
            PasswordHash.Parameters(logarithmicCost: cost, blockSize: size, parallelism: lanes))
        let hash = PasswordHash.scrypt(utf8(password), salt: utf8(salt), parameters: parameters, count: 64)
        #expect(hex(hash) == output)
    }

    @Test("NFR-05c: a stored password matches itself and nothing else")
    func roundTrip() throws {
        let hash = PasswordHash("cavallo blu ☂", parameters: quick)
        let stored = try PasswordHash(stored: hash.description)
        #expect(stored == hash)
        #expect(stored.matches("cavallo blu ☂"))
        #expect(!stored.matches("cavallo blu"))
        #expect(!stored.matches(""))
        #expect(hash.description.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
        #expect(PasswordHash("cavallo blu ☂", parameters: quick).description != hash.description, "salted")
    }

    @Test(
        "NFR-05: A password is the same however its accents and spaces are written (RFC 8265)",
        arguments: [
            ("caffè nero", "caffe\u{300} nero"),
            ("\u{212b}ngström blu", "a\u{30a}ngström blu".replacing("a\u{30a}", with: "A\u{30a}")),
            ("한글 암호", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af} \u{110b}\u{1161}\u{11b7}\u{1112}\u{1169}"),
            ("tre parole qui", "tre\u{a0}parole\u{3000}qui"),
        ])
    func spellings(first: String, second: String) {
        #expect(Array(first.utf8) != Array(second.utf8))
        #expect(PasswordHash(first, parameters: quick).matches(second))
        #expect(PasswordHash(second, parameters: quick).matches(first))
        #expect(!PasswordHash("caffe nero", parameters: quick).matches(first))
    }

    @Test("Hashes with other parameters are checked with theirs")
    func otherParameters() throws {
        let other = try #require(PasswordHash.Parameters(logarithmicCost: 5, blockSize: 4, parallelism: 2))
        let stored = try PasswordHash(stored: PasswordHash("tabella", parameters: other).description)
        #expect(stored.matches("tabella"))
    }

    @Test("NFR-05c: the standard parameters are N = 2^17, r = 8, p = 1")
    func standard() {
        #expect(PasswordHash.Parameters(logarithmicCost: 17, blockSize: 8, parallelism: 1) == .standard)
        #expect(PasswordHash.decoy().description.hasPrefix("$scrypt$ln=17,r=8,p=1$"))
    }

    @Test("ACC-07b: the decoy has the cost of a real hash, and no password matches it")
    func decoy() {
        let decoy = PasswordHash.decoy(parameters: quick)
        #expect(decoy.parameters == quick)
        #expect(!decoy.matches("password"))
    }

    @Test(
        "Parameters that would exhaust the machine are refused",
        arguments: [
            (0, 8, 1), (21, 8, 1), (20, 8, 1), (18, 8, 4), (10, 0, 1), (10, 33, 1), (10, 8, 0), (10, 8, 17), (16, 1, 1),
        ])
    func limits(cost: Int, size: Int, lanes: Int) {
        #expect(PasswordHash.Parameters(logarithmicCost: cost, blockSize: size, parallelism: lanes) == nil)
    }

    @Test(
        "Malformed stored passwords are refused",
        arguments: [
            "", "$", "$scrypt$", "password", "$argon2id$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=4,r=8$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=04,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=+4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=4,r=8,p=1,x=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAB$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=4,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$",
            "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA$",
        ])
    func malformed(text: String) {
        #expect(throws: SecurityError.malformed("not a stored password")) { try PasswordHash(stored: text) }
    }
}
