import Primitives
import Testing

@testable import Security

@Suite struct BlindIndexTests {
    private let master = try! SecretKey(repeated(7, 32))

    @Test("NFR-05: equal values have equal indexes, in one column under one key only")
    func separation() throws {
        let emails = BlindIndex(master: master, column: "accounts.person.email")
        let index = emails.index("ada@example.org")
        #expect(index.count == BlindIndex.byteCount)
        #expect(BlindIndex(master: master, column: "accounts.person.email").index("ada@example.org") == index)
        #expect(emails.index("ada@example.com") != index)
        #expect(BlindIndex(master: master, column: "accounts.company.email").index("ada@example.org") != index)
        #expect(BlindIndex(master: .random(), column: "accounts.person.email").index("ada@example.org") != index)
    }

    @Test("An index is HMAC(HKDF(master, column), value), so that another program can make it too")
    func definition() {
        // HKDF without salt, written out from RFC 5869 for one block.
        let extracted = HMACKey(repeated(0, 32)).code(for: repeated(7, 32))
        let key = HMACKey(extracted).code(for: utf8("blind-index:a.b.c") + [1])
        #expect(BlindIndex(master: master, column: "a.b.c").index("x") == HMACKey(key).code(for: utf8("x")))
    }
}
