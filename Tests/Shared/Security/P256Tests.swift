import Primitives
import Testing

@testable import Security

@Suite struct P256Tests {
    /// The keys of RFC 8291, section 5.
    static let sender = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyfWPiYE+n46HLnH0
        KqZOF1fJJU3MYrct3AELtAQ+oRyhRANCAAT+M/SrDepxkU21WCP3O1SUj0EwbZIH
        Mtu5pZpTKGSCIA5Zent7wmC6HCJ5mFgJkuk5cwAvMBKiiujwa7t45ewP
        -----END PRIVATE KEY-----

        """
    static let receiver = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgq1dXpw3UpT5VOmu/
        cf/v6ih07Aems3njxI+JWgLcM96hRANCAAQlcbK+zf3jYFUarx7Q9M02bBHOvlVf
        iby3sYalMzkXMWjs4uvgGFl70wR5uG48j47O1XfKWRh+kkaZDbaCAIsO
        -----END PRIVATE KEY-----

        """

    @Test("Two keys agree on a secret: that of RFC 8291, appendix A")
    func agreement() throws {
        let (one, other) = (try P256Key(pem: Self.sender), try P256Key(pem: Self.receiver))
        let secret = try #require(Base64.url.decode("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"))
        #expect(one.sharedSecret(with: other.publicKey) == secret)
        #expect(other.sharedSecret(with: one.publicKey) == secret)
    }

    @Test("The signature of RFC 7515, appendix A.3, is valid, and a changed one is not")
    func known() throws {
        let x = try #require(Base64.url.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
        let y = try #require(Base64.url.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let key = try P256PublicKey([4] + x + y)
        let message = utf8(
            "eyJhbGciOiJFUzI1NiJ9"
                + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ")
        let signature = try #require(
            Base64.url.decode("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"))
        #expect(key.isValid(signature, for: message))
        #expect(!key.isValid(signature, for: message + [0]))
        for changed in tampered(signature) { #expect(!key.isValid(changed, for: message)) }
    }

    @Test("What a key signs is valid for it and no other; changed, cut and empty signatures are not")
    func signing() throws {
        let (key, message) = (P256Key.random(), utf8("sentinella"))
        let signature = key.sign(message)
        #expect(signature.count == P256PublicKey.signatureByteCount)
        #expect(key.publicKey.isValid(signature, for: message))
        #expect(!P256Key.random().publicKey.isValid(signature, for: message))
        for wrong in [[], Array(signature.dropLast()), signature + [0], repeated(0, 64), repeated(255, 64)] {
            #expect(!key.publicKey.isValid(wrong, for: message))
        }
    }

    @Test("Points off the curve and keys of other kinds are refused")
    func malformed() throws {
        var point = P256Key.random().publicKey.bytes
        #expect(throws: Never.self) { try P256PublicKey(point) }
        point[64] ^= 1
        for wrong in [point, [], repeated(0, 65), [4] + repeated(0, 64), Array(point.dropLast())] {
            #expect(throws: SecurityError.self) { try P256PublicKey(wrong) }
        }
        #expect(throws: SecurityError.self) { try P256Key(pem: Ed25519Key.random().pem) }
        #expect(throws: SecurityError.self) { try P256Key(pem: "nothing") }
        // A key of secp256k1, whose points have as many bytes.
        let other = """
            -----BEGIN PRIVATE KEY-----
            MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQg1At2yDM+Wdnyt/2S6hW4
            jq6cz+6/8ps26G7qU/QzYC+hRANCAARe37z6Y5dnPjw5CxCiRvaMGnXLY0xNF2Iu
            NBlErNxZyCfMyUljErkCpdtFFIJv/c3Lgw+spnGRSWz4bv5HYmt2
            -----END PRIVATE KEY-----

            """
        #expect(throws: SecurityError.self) { try P256Key(pem: other) }
    }
}
