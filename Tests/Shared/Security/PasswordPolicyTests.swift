import Testing

@testable import Security

@Suite struct PasswordPolicyTests {
    private let ada = PasswordPolicy.Person(
        email: "ada.lovelace+app@example.org", names: ["Ada Augusta", "De Luca"], fiscalCode: "DLCDGS85T50F205Z")

    private func refusal(_ password: String) -> PasswordRefusal.Reason? {
        do throws(PasswordRefusal) {
            try PasswordPolicy.check(password, of: ada)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "ACC-02g: reasonable passwords are accepted",
        arguments: [
            "correct mule cell clip", "Tr0mba-sul-tetto", "vento7nebbia", "x9$kQ2!pLm", "perché così è",
            "adattatore blu", "lumaca e mare",
        ])
    func accepted(password: String) {
        #expect(refusal(password) == nil)
    }

    @Test(
        "ACC-02g: weak passwords are refused with the reason",
        arguments: [
            ("", PasswordRefusal.Reason.tooShort), ("x9$kQ2!pL", .tooShort), ("🇮🇹🇮🇹🇮🇹🇮🇹🇮🇹", .tooShort),
            (String(repeating: "nuvola di panna ", count: 17), .tooLong),
            ("Password123", .tooCommon), ("PASSWORD!!", .tooCommon), ("p@ssw0rd2024!", .tooCommon),
            ("qwertyuiop", .tooCommon), ("1q2w3e4r5t", .tooCommon), ("Juventus1897", .tooCommon),
            ("1234567890", .tooCommon), ("iloveyou123", .tooCommon),
            ("xx-Lovelace-77", .personal), ("augusta e il mare", .personal), ("de luca al sole", .personal),
            ("dlcdgs85t50f205z", .personal), ("il mio DLCDGS qui", .personal), ("Ada1234567!", .personal),
            ("zzzzzzzzzzzz", .repetitive), ("xyxyxyxyxyxy", .repetitive), ("gattogatto", .repetitive),
            ("abcdefghijkl", .sequential), ("zyxwvutsrqpo", .sequential), ("2345678901k", .sequential),
            ("lkjhgfdsa00", .sequential), ("poiuytrewq1", .sequential),
        ])
    func refused(password: String, reason: PasswordRefusal.Reason) {
        #expect(refusal(password) == reason)
    }

    @Test("ACC-02g: every refusal has a sentence of its own")
    func sentences() {
        let sentences = PasswordRefusal.Reason.allCases.map { PasswordRefusal(reason: $0).sentence }
        #expect(Set(sentences).count == PasswordRefusal.Reason.allCases.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    }

    @Test("What is not known of a person refuses nothing")
    func nobody() throws {
        try PasswordPolicy.check(
            "vento7nebbia", of: PasswordPolicy.Person(email: "", names: ["", " "], fiscalCode: ""))
    }
}
