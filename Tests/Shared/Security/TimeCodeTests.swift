import Primitives
import Testing

@testable import Security

@Suite struct TimeCodeTests {
    /// Of RFC 6238, appendix B.
    private static let key = Array("12345678901234567890".utf8)

    @Test(
        "ACC-07: Codes of authenticator apps are those of RFC 6238, the last six digits of its vectors",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func vectors(seconds: Int64, code: String) throws {
        let key = try TimeCodeKey(Self.key)
        let step = TimeCodeKey.step(at: Timestamp(milliseconds: seconds * 1000))
        #expect(key.code(ofStep: step).description == code)
    }

    @Test("ACC-07: A code is taken while its app's clock is off by a minute at most, and only after the last one used")
    func window() throws {
        let key = TimeCodeKey.random()
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let step = TimeCodeKey.step(at: now)
        for off in -2...2 as ClosedRange<Int64> {
            #expect(key.step(of: key.code(ofStep: step + off), at: now, after: 0) == step + off)
        }
        for off in [-3, 3] as [Int64] {
            let code = key.code(ofStep: step + off)
            // Of a million codes one of those in the window may be the same.
            guard !(step - 2...step + 2).contains(where: { key.code(ofStep: $0).matches(code) }) else { continue }
            #expect(key.step(of: code, at: now, after: 0) == nil)
        }
        #expect(key.step(of: key.code(ofStep: step), at: now, after: step) == nil)
        #expect(key.step(of: key.code(ofStep: step), at: now, after: step - 1) == step)
    }

    @Test("Keys are typed in base32 (RFC 4648), and have 20 bytes")
    func keys() throws {
        #expect(try TimeCodeKey(Self.key).text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(throws: SecurityError.self) { try TimeCodeKey([1, 2, 3]) }
    }

    @Test(
        "Base32 is that of RFC 4648, without padding",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func base32(text: String, encoded: String) { #expect(Base32.encode(Array(text.utf8)) == encoded) }
}
