import Primitives
import Security
import SeededRandom
import Testing

@testable import Accounts

@Suite struct CBORTests {
    @Test(
        "Values of RFC 8949, appendix A, read as they say",
        arguments: [
            ("00", CBORValue.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
            ("1bffffffffffffffff", .unsigned(.max)), ("20", .integer(-1)), ("3903e7", .integer(-1000)),
            ("3bffffffffffffffff", .negative(.max)), ("f4", .flag(false)), ("f5", .flag(true)), ("f6", .null),
            ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("6161", .text("a")), ("62c3bc", .text("ü")),
            ("80", .array([])),
            (
                "8301820203820405",
                .array([
                    .unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)]),
                ])
            ),
            ("a201020304", .map([.unsigned(1): .unsigned(2), .unsigned(3): .unsigned(4)])),
            (
                "a26161016162820203",
                .map([.text("a"): .unsigned(1), .text("b"): .array([.unsigned(2), .unsigned(3)])])
            ),
        ])
    func known(_ text: String, _ value: CBORValue) throws {
        #expect(try CBORValue(try #require(bytes(hex: text))) == value)
    }

    @Test(
        "Indefinite lengths, tags, fractions, keys that come twice, bytes that follow, broken texts and what is cut off are refused",
        arguments: [
            "", "18", "1903", "1c", "1f", "ff", "5f42010243030405ff", "9fff", "bf61610161629f0203ffff", "c11a514b67b0",
            "f90000",
            "fb3ff199999999999a", "f7", "f820", "a201020103", "0000", "61ff", "4401", "83010", "9b7fffffffffffffff",
            "5bffffffffffffffff", "bbffffffffffffffff", "a101",
        ])
    func refused(_ text: String) {
        #expect(throws: SecurityError.self) { try CBORValue(bytes(hex: text) ?? []) }
    }

    @Test("What is nested too deep, or has too many values, is refused")
    func limits() throws {
        let deep = [UInt8](repeating: 0x81, count: CBORReader.depthMax - 1)
        _ = try CBORValue(deep + [0])
        #expect(throws: SecurityError.self) { try CBORValue(deep + [0x81, 0]) }
        #expect(throws: SecurityError.self) { try CBORValue([UInt8](repeating: 0x81, count: 100_000)) }
        #expect(throws: SecurityError.self) {
            try CBORValue([0x99, 0x01, 0xf4] + [UInt8](repeating: 0, count: 500))
        }
    }

    @Test("Cut, changed and random bytes are read or refused, as values, authenticators' data and keys")
    func anything() {
        var random = SeededGenerator(seed: 8949)
        let whole = TestPasskey().attestation
        for round in 0..<20_000 {
            var input = Array(whole.prefix(round < whole.count ? round : whole.count))
            if round.isMultiple(of: 5) { input = randomInput(&random) }
            for _ in 0..<random.index(below: 4) where !input.isEmpty {
                input[random.index(below: input.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            let value = try? CBORValue(input)
            if let signed = value?["authData"]?.bytes { _ = try? AuthenticatorData(signed) }
            _ = try? AuthenticatorData(input)
            if let value { _ = try? PasskeyPublicKey(value) }
        }
    }

    private func randomInput(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<random.index(below: 64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}

@Suite struct PasskeyPublicKeyTests {
    // Made with another implementation (Python's cryptography).
    private static let keys = [
        (
            "pQECAyYgASFYIMaROWaqmBx4DdZQo5FWzUSIfmOrOHjVC9txWdAzBvaZIlggqtq7JB2Vz_5C7oe73pbzmuEsWcBUGtVGnvEF_pdllIg",
            "MEQCICxFd7Y4W9y_eAMPlOo2nQGr-1buO6sD1L0zTGDUhwOqAiAY7pYItGo0rQdVGrci8LT-ovmK94MHm7dTbLJ9RjoGXQ"
        ),
        (
            "pAEBAycgBiFYIBGcTZxeXTrhc7-rk0oFgGir_D0jpb7jqu9wXxwKwA-N",
            "6tBqMKma_odSjbBbhDAuK8Zvg8S8G9IaBB_usP_eH8_cgbn7QqQXd-ozhSGmZRwYE5YlPli64G1iQmwvVQb4DQ"
        ),
    ]

    @Test("Keys in COSE (RFC 9053) check what others have signed by ES256 and EdDSA, and nothing else", arguments: keys)
    func known(_ text: String, _ signed: String) throws {
        let key = try PasskeyPublicKey(stored: try #require(Base64.url.decode(text)))
        var signature = try #require(Base64.url.decode(signed))
        #expect(key.isValid(signature, for: Array("passkey".utf8)))
        #expect(!key.isValid(signature, for: Array("passkeys".utf8)))
        #expect(!key.isValid([], for: Array("passkey".utf8)))
        #expect(!key.isValid(signature + [0], for: Array("passkey".utf8)))
        signature[signature.count - 1] ^= 1
        #expect(!key.isValid(signature, for: Array("passkey".utf8)))
    }

    @Test("Keys of other algorithms and curves, and points that are on none, are refused")
    func refused() throws {
        let good = TestPasskey().publicKey
        for (place, value) in [(2, 1), (4, 0x27), (6, 2), (40, good[40] ^ 1)] as [(Int, UInt8)] {
            var key = good
            key[place] = value
            #expect(throws: SecurityError.self) { try PasskeyPublicKey(stored: key) }
        }
    }

    @Test(
        "The origin is the base URL's, without the standard port or a path; the relying party is its host",
        arguments: [
            ("https://trackme.example", "https://trackme.example", "trackme.example"),
            ("https://TrackMe.example:443", "https://trackme.example", "trackme.example"),
            ("http://localhost:8100", "http://localhost:8100", "localhost"),
            ("https://trackme.example:8443/at", "https://trackme.example:8443", "trackme.example"),
        ])
    func relyingParty(_ url: String, _ origin: String, _ id: String) {
        let party = RelyingParty(baseURL: url)
        #expect(party.origin == origin)
        #expect(party.id == id)
    }
}
