import Primitives
import Testing

@Suite struct EncodingsTests {
    static let vectors = [
        ("", "", ""), ("f", "Zg==", "66"), ("fo", "Zm8=", "666f"), ("foo", "Zm9v", "666f6f"),
        ("foob", "Zm9vYg==", "666f6f62"),
        ("fooba", "Zm9vYmE=", "666f6f6261"), ("foobar", "Zm9vYmFy", "666f6f626172"),
    ]

    @Test("RFC 4648 section 10: the vectors of base64 and base16", arguments: vectors)
    func standard(plain: String, base64: String, base16: String) {
        let plain = Array(plain.utf8)
        #expect(Base64.standard.encode(plain) == base64)
        #expect(Base64.standard.decode(base64) == plain)
        let unpadded = String(base64.prefix { $0 != "=" })
        #expect(Base64.url.encode(plain) == unpadded)
        #expect(Base64.url.decode(unpadded) == plain)
        #expect(hex(plain) == base16)
        #expect(bytes(hex: base16.uppercased()) == plain)
    }

    @Test("the alphabets differ in their last two symbols")
    func alphabets() {
        #expect(Base64.standard.encode([0xfb, 0xff]) == "+/8=")
        #expect(Base64.url.encode([0xfb, 0xff]) == "-_8")
        #expect(Base64.url.decode("+/8") == nil)
        #expect(Base64.standard.decode("-_8=") == nil)
    }

    @Test(
        "base64 is strict",
        arguments: ["Zg", "Zg=", "Zg===", "Z===", "====", "Zh==", "Zm9v\n", "Zm 9v", "Zm9=Zm9v", "Zm9é"])
    func strict(text: String) {
        #expect(Base64.standard.decode(text) == nil)
    }

    @Test("unpadded base64 is strict", arguments: ["Z", "Zg==", "Zh", "Zm9vY"])
    func strictURL(text: String) {
        #expect(Base64.url.decode(text) == nil)
    }

    @Test("every length of bytes survives")
    func roundTrip() {
        for count in 0..<70 {
            let plain = randomBytes(count)
            #expect(plain.count == count)
            #expect(Base64.standard.decode(Base64.standard.encode(plain)) == plain)
            #expect(Base64.url.decode(Base64.url.encode(plain)) == plain)
            #expect(bytes(hex: hex(plain)) == plain)
        }
    }

    @Test("hexadecimal refuses an odd count and other characters", arguments: ["a", "0g", "0x10", "é0", " 0"])
    func hexRefused(text: String) {
        #expect(bytes(hex: text) == nil)
    }
}
