import Domain
import Testing

private func repeated(_ text: String, _ count: Int, then end: String) -> String {
    String(repeating: text, count: count) + end
}

@Suite struct IdentifierTests {
    @Test(
        "ACC-03a: VAT numbers with the right check digit", arguments: ["12345678903", "IT00743110157", " 02182030391 "])
    func vatNumber(text: String) throws {
        #expect(try VATNumber(validating: text).description.utf8.count == 11)
    }

    static let wrongVATNumbers: [(String, VATNumberError)] = [
        ("12345678901", VATNumberError.checkDigit), ("1234567890", .form), ("123456789034", .form),
        ("1234567890A", .form), ("", .form), ("00000000000", .checkDigit), ("FR12345678903", .form),
    ]

    @Test(
        "ACC-03a: wrong VAT numbers",
        arguments: wrongVATNumbers)
    func wrongVATNumber(text: String, error: VATNumberError) {
        #expect(throws: error) { try VATNumber(validating: text) }
    }

    @Test("ACC-03a: every single wrong digit of a VAT number is noticed")
    func wrongDigit() {
        let digits = Array("12345678903".utf8)
        for position in digits.indices {
            for digit in UInt8(48)...57 where digit != digits[position] {
                var changed = digits
                changed[position] = digit
                #expect(VATNumber(String(decoding: changed, as: UTF8.self)) == nil)
            }
        }
    }

    static let emails: [String] = [
        "a@b.it", "Mario.Rossi+runs@Example.COM", "x_y-z'@sub.domain.example.org", "1@2.3it",
        repeated("a", 64, then: "@example.com"),
    ]

    @Test(
        "ACC-01: e-mail addresses",
        arguments: emails)
    func email(text: String) throws {
        let address = try EmailAddress(validating: text)
        #expect(address.description == text)
        #expect(address.normalized == text.lowercased())
        #expect(EmailAddress(text.uppercased()) == address)
    }

    static let wrongEmails: [(String, EmailAddressError)] = [
        ("", EmailAddressError.oneAtSign), ("a", .oneAtSign), ("a@b@c.it", .oneAtSign), ("@b.it", .localPart),
        (".a@b.it", .localPart), ("a.@b.it", .localPart), ("a..b@c.it", .localPart), ("a b@c.it", .localPart),
        ("\"a\"@c.it", .localPart), (repeated("a", 65, then: "@c.it"), .localPart), ("a@b", .domain),
        ("a@-b.it", .domain), ("a@b-.it", .domain), ("a@b..it", .domain), ("a@b.it.", .domain),
        ("a@1.2.3.4", .domain), ("a@[1.2.3.4]", .domain),
        ("a@\(repeated("b", 64, then: ".it"))", .domain),
        ("è@b.it", .notASCII), ("a@\(repeated("b.", 127, then: "it"))", .tooLong),
        ("a@b.it\r\nBcc: c@d.it", .oneAtSign), ("a\n@b.it", .localPart),
    ]

    @Test(
        "ACC-01: what is no e-mail address, and why",
        arguments: wrongEmails)
    func wrongEmail(text: String, error: EmailAddressError) {
        #expect(throws: error) { try EmailAddress(validating: text) }
    }

    static let phones: [(String, String)] = [
        ("+39 02 1234567", "+39021234567"), ("0039 (333) 123-4567", "+393331234567"),
        ("+1.212.555.0100", "+12125550100"),
    ]

    @Test(
        "ACC-02: phone numbers are kept in international form",
        arguments: phones)
    func phone(text: String, expected: String) throws {
        #expect(try PhoneNumber(validating: text).description == expected)
    }

    static let wrongPhones: [(String, PhoneNumberError)] = [
        ("02 1234567", PhoneNumberError.countryCode), ("", .countryCode), ("+39", .form), ("+0123456789", .form),
        ("+1234567890123456", .form), ("+39 O2 1234567", .form),
    ]

    @Test(
        "ACC-02: what is no phone number",
        arguments: wrongPhones)
    func wrongPhone(text: String, error: PhoneNumberError) {
        #expect(throws: error) { try PhoneNumber(validating: text) }
    }

    @Test("ACC-02: place codes", arguments: ["F205", "h501", "Z404", "M432"])
    func place(text: String) throws {
        #expect(try BelfioreCode(validating: text).description == text.uppercased())
    }

    @Test("ACC-02: what is no place code", arguments: ["", "N205", "F20", "F2055", "205F", "F000", "Y100"])
    func wrongPlace(text: String) {
        #expect(BelfioreCode(text) == nil)
    }
}
