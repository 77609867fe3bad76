import Domain
import Primitives
import Testing

@Suite struct FiscalCodeTests {
    @Test("ACC-02e: sex, date of birth and birthplace are read from the code")
    func reads() throws {
        let man = try FiscalCode(validating: "RSSMRA85T10A562S")
        #expect(man.sex == .male)
        #expect((man.yearOfCentury, man.month, man.day) == (85, 12, 10))
        #expect(man.birthplace.description == "A562")
        #expect(!man.birthplace.isForeignState)
        let woman = try FiscalCode(validating: " mllsnt82p65z404u ")
        #expect(woman.description == "MLLSNT82P65Z404U")
        #expect(woman.sex == .female)
        #expect((woman.yearOfCentury, woman.month, woman.day) == (82, 9, 25))
        #expect(woman.birthplace.isForeignState)
    }

    static let published: [(String, String, String, Sex, String, String)] = [
        ("Rossi", "Mario", "1985-12-10", Sex.male, "A562", "RSSMRA85T10A562S"),
        ("Rossi", "Mario", "1980-01-01", .male, "H501", "RSSMRA80A01H501U"),
        ("Moretti", "Matteo", "1925-04-09", .male, "F205", "MRTMTT25D09F205Z"),
        ("Miller", "Samantha", "1982-09-25", .female, "Z404", "MLLSNT82P65Z404U"),
    ]

    @Test(
        "ACC-02: published codes are computed from the person's data",
        arguments: published)
    func known(surname: String, name: String, birth: String, sex: Sex, place: String, code: String) throws {
        let made = try FiscalCode.make(
            surname: surname, name: name, birth: try #require(CalendarDate(birth)), sex: sex,
            place: try BelfioreCode(validating: place))
        #expect(made.description == code)
        #expect(try FiscalCode(validating: code) == made)
    }

    static let specialNames: [(String, String, String)] = [
        ("Fo", "Dario", "FOXDRA"), ("Ó", "Li", "OXXLIX"), ("D'Alì De Santis", "Maria Grazia", "DLDMGR"),
        ("Müller", "Zoë", "MLLZOE"), ("Aiello", "Gianfranco", "LLAGFR"), ("Yu", "Ai", "YUXAIX"),
    ]

    @Test(
        "ACC-02: short, accented and compound names",
        arguments: specialNames)
    func names(surname: String, name: String, letters: String) throws {
        let made = try FiscalCode.make(
            surname: surname, name: name, birth: try #require(CalendarDate(year: 2000, month: 2, day: 29)),
            sex: .female,
            place: try BelfioreCode(validating: "F205"))
        #expect(made.description.hasPrefix(letters + "00B69F205"))
    }

    @Test("ACC-02c: every combination of omocodia letters is accepted and leads to the same canonical code")
    func omocodia() throws {
        let plain = try FiscalCode(validating: "RSSMRA85T10A562S")
        var count = 0
        for mask in 0..<128 {
            var code = Array("RSSMRA85T10A562".utf8)
            for (bit, position) in [6, 7, 9, 10, 12, 13, 14].enumerated() where mask >> bit & 1 == 1 {
                code[position] = Array("LMNPQRSTUV".utf8)[Int(code[position]) - 48]
            }
            let text = String(decoding: code, as: UTF8.self)
            let fits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".compactMap { FiscalCode(text + String($0)) }
            let one = try #require(fits.first)
            #expect(fits.count == 1)
            #expect(one.canonical == plain)
            #expect((one.sex, one.birthplace) == (plain.sex, plain.birthplace))
            #expect((one.description == plain.description) == (mask == 0))
            count += 1
        }
        #expect(count == 128)
    }

    static let wrongCodes: [(String, FiscalCodeError)] = [
        ("", FiscalCodeError.length(0)), ("RSSMRA85T10A562", .length(15)), ("RSSMRA85T10A562SS", .length(17)),
        ("RSSMRA85T10A562T", .checkCharacter), ("RSSMRB85T10A562S", .checkCharacter),
        ("R5SMRA85T10A562S", .character(position: 2)), ("RSSMRAA5T10A562S", .character(position: 7)),
        ("RSSMRA85T10A56 S", .character(position: 15)), ("RSSMRA85F10A562S", .month),
        ("RSSMRA85T32A562S", .date), ("RSSMRA85T00A562S", .date), ("RSSMRA85T72A562S", .date),
        ("RSSMRA85B29A562S", .date), ("RSSMRA85D31A562S", .date), ("RSSMRA85T10N562S", .birthplace),
        ("RSSMRA85T10A000S", .birthplace), ("RSSMRÀ85T10A562S", .length(16)),
    ]

    @Test(
        "ACC-02c: what is wrong with a code is said exactly",
        arguments: wrongCodes)
    func wrong(text: String, error: FiscalCodeError) {
        #expect(throws: error) { try FiscalCode(validating: text) }
    }

    @Test("ACC-02c: a letter mistaken for another letter, or a digit for another digit, is noticed")
    func oneWrongCharacter() {
        let code = Array("RSSMRA85T10A562S".utf8)
        for position in code.indices {
            let alternatives = code[position] < 65 ? UInt8(48)...57 : UInt8(65)...90
            for replacement in alternatives where replacement != code[position] {
                var changed = code
                changed[position] = replacement
                #expect(FiscalCode(String(decoding: changed, as: UTF8.self)) == nil)
            }
        }
    }

    @Test("ACC-02d: the date of birth given must agree with the code")
    func agreement() throws {
        let code = try FiscalCode(validating: "RSSMRA85T10A562S")
        #expect(code.agrees(with: try #require(CalendarDate("1985-12-10"))))
        #expect(code.agrees(with: try #require(CalendarDate("1885-12-10"))))
        #expect(!code.agrees(with: try #require(CalendarDate("1985-12-11"))))
        #expect(!code.agrees(with: try #require(CalendarDate("1985-10-12"))))
    }

    static let centuries: [(String, String, String)] = [
        ("MRTMTT25D09F205Z", "2026-01-01", "2025-04-09"), ("MRTMTT25D09F205Z", "2025-04-08", "1925-04-09"),
        ("MRTMTT25D09F205Z", "2025-04-09", "2025-04-09"), ("RSSMRA80A01H501U", "2026-11-20", "1980-01-01"),
    ]

    @Test(
        "ACC-02e SOS-01: the century is the latest that lies in the past",
        arguments: centuries)
    func century(code: String, reference: String, birth: String) throws {
        let date = try FiscalCode(validating: code).birthDate(asOf: try #require(CalendarDate(reference)))
        #expect(date == CalendarDate(birth))
    }

    @Test("ACC-02e: 29 February of a year 00 is in 2000, since 1900 had none")
    func leapDay() throws {
        let code = try FiscalCode.make(
            surname: "Rossi", name: "Anna", birth: try #require(CalendarDate("2000-02-29")), sex: .female,
            place: try BelfioreCode(validating: "H501"))
        #expect(code.birthDate(asOf: try #require(CalendarDate("2026-01-01"))) == CalendarDate("2000-02-29"))
        #expect(code.birthDate(asOf: try #require(CalendarDate("1999-01-01"))) == nil)
    }

    @Test("ACC-02: a name without Latin letters has no code")
    func noLetters() throws {
        let place = try BelfioreCode(validating: "Z210")
        let birth = try #require(CalendarDate("1990-05-05"))
        #expect(throws: FiscalCodeError.nameWithoutLetters) {
            try FiscalCode.make(surname: "王", name: "Li", birth: birth, sex: .male, place: place)
        }
    }
}
