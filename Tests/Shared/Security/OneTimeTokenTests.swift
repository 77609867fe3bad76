import Primitives
import Testing

@testable import Security

@Suite struct OneTimeTokenTests {
    @Test("A token that comes back has the hash that was stored")
    func roundTrip() throws {
        let token = OneTimeToken.random()
        #expect(token.text.utf8.count == 43)
        #expect(token.storedHash.count == 32)
        #expect(try #require(OneTimeToken(token.text)).storedHash == token.storedHash)
        #expect(OneTimeToken.random().storedHash != token.storedHash)
    }

    @Test(
        "What cannot be a token is none, and a token has one spelling",
        arguments: [
            "", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
            String(repeating: "A", count: 42) + "B",
            String(repeating: "A", count: 42) + "+", String(repeating: "A", count: 42) + "=",
        ])
    func malformed(text: String) {
        #expect(OneTimeToken(text) == nil)
    }

    @Test("ACC-14a: codes have six digits, each as likely as the others")
    func codes() throws {
        var counts = [Int](repeating: 0, count: 60)
        for _ in 0..<6000 {
            let code = SixDigitCode.random()
            #expect(code.description.utf8.count == 6)
            for (position, digit) in code.description.utf8.enumerated() {
                counts[position * 10 + Int(digit - UInt8(ascii: "0"))] += 1
            }
        }
        // 600 expected, with a standard deviation of 23: beyond eight of those is no accident.
        #expect(counts.allSatisfy { (416...784).contains($0) })
    }

    @Test("ACC-14a: a code matches itself only", arguments: ["", "12345", "1234567", "12345a", "١٢٣٤٥٦", " 12345"])
    func matching(text: String) throws {
        #expect(SixDigitCode(text) == nil)
        let code = try #require(SixDigitCode("012345"))
        #expect(code.matches(try #require(SixDigitCode("012345"))))
        #expect(!code.matches(try #require(SixDigitCode("012346"))))
    }

    @Test("ACC-16: What follows a token is the same each time, another for each token, and needs the service's key")
    func successor() {
        let (token, master) = (OneTimeToken.random(), SecretKey.random())
        let key = BlindIndex(master: master, column: "a.b.c")
        #expect(token.successor(key).text == token.successor(key).text)
        #expect(OneTimeToken(token.successor(key).text)?.storedHash == token.successor(key).storedHash)
        #expect(token.successor(key).text != token.text)
        #expect(token.successor(key).text != OneTimeToken.random().successor(key).text)
        #expect(token.successor(key).text != token.successor(BlindIndex(master: .random(), column: "a.b.c")).text)
    }
}
