import Primitives
import Testing

@testable import Security

@Suite struct SubjectKeyTests {
    private let subject = UUID(high: 5, low: 6)
    private let place = FieldLocation("ingestion.block.samples", row: utf8("heart_rate/2026-01-31"))
    private let cipher = FieldCipher(try! KeyRing(["k1": .random()], current: "k1"))

    @Test("ACC-12: data opens with the unwrapped key of its person only")
    func roundTrip() throws {
        let key = SubjectKey.random()
        let sealed = key.seal(utf8("72 73 74"), at: place)
        let unwrapped = try SubjectKey(unwrapping: key.wrapped(of: subject, with: cipher), of: subject, with: cipher)
        #expect(try unwrapped.open(sealed, at: place) == utf8("72 73 74"))
        #expect(throws: SecurityError.authenticationFailed) { try SubjectKey.random().open(sealed, at: place) }
        let other = FieldLocation("ingestion.block.samples", row: utf8("heart_rate/2026-02-01"))
        #expect(throws: SecurityError.authenticationFailed) { try key.open(sealed, at: other) }
    }

    @Test("ACC-12: a wrapped key cannot be passed off as another person's, nor be altered")
    func wrapping() throws {
        let wrapped = SubjectKey.random().wrapped(of: subject, with: cipher)
        #expect(throws: SecurityError.authenticationFailed) {
            try SubjectKey(unwrapping: wrapped, of: UUID(high: 5, low: 7), with: cipher)
        }
        for changed in tampered(wrapped) {
            #expect(throws: SecurityError.self) { try SubjectKey(unwrapping: changed, of: subject, with: cipher) }
        }
        #expect(cipher.isCurrent(wrapped))
    }

    @Test("Every changed byte and every cut is noticed")
    func tampering() throws {
        let key = SubjectKey.random()
        let sealed = key.seal(utf8("abc"), at: place)
        for changed in tampered(sealed) { #expect(throws: SecurityError.self) { try key.open(changed, at: place) } }
        for count in 0..<sealed.count {
            #expect(throws: SecurityError.self) { try key.open(Array(sealed.prefix(count)), at: place) }
        }
    }
}
