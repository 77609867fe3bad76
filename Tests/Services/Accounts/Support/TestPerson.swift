import Contracts
import Domain
import Primitives
import ServiceTesting

/// People and companies to register.
struct TestPerson: Sendable {
    var name = "Anna"
    var surname = "Bianchi"
    var birth = CalendarDate(year: 1980, month: 5, day: 17)!
    var email = "anna.bianchi@example.org"
    var password = AccountsTest.password
    var terms = "2026-01"
    var code: String
    var more = ""

    init(birth: CalendarDate = CalendarDate(year: 1980, month: 5, day: 17)!, email: String = "anna@example.org") {
        self.birth = birth
        self.email = email
        code = try! FiscalCode.make(
            surname: "Bianchi", name: "Anna", birth: birth, sex: .female, place: BelfioreCode("F205")!
        ).description
    }

    /// One of many that differ.
    init(number: Int) {
        let birth = CalendarDate(daysSinceEpoch: Int32(number % 10_000))
        self.init(birth: birth, email: "person\(number)@example.org")
        code = try! FiscalCode.make(
            surname: "Bianchi", name: "Anna", birth: birth, sex: .female,
            place: BelfioreCode("F\(100 + number / 10_000)")!
        ).description
    }

    /// Born so that the person is of this age on the first day of tests.
    static func child(years: Int, email: String = "child@example.org", parent: TestPerson?) -> TestPerson {
        let today = TestClock().now().dateUTC
        var child = TestPerson(
            birth: CalendarDate(year: today.year - years, month: today.components.month, day: today.components.day)!,
            email: email)
        if let parent {
            child.more = """
                ,"parent":{"name":"\(parent.name)","surname":"\(parent.surname)","fiscal_code":"\(parent.code)",
                 "email":"\(parent.email)"},"consents":{"health_data":true,"position":false}
                """
        }
        return child
    }

    var form: String {
        """
        {"name":"\(name)","surname":"\(surname)","birth_date":"\(birth)","fiscal_code":"\(code)","email":"\(email)",
         "password":"\(password)","terms_version":"\(terms)"\(more)}
        """
    }

    var provisioned: Accounts.Provision.Person {
        Accounts.Provision.Person(
            name: name, surname: surname, birthDate: birth, fiscalCode: FiscalCode(code)!,
            email: EmailAddress(email)!, residence: BelfioreCode("F205"), occupation: .employed,
            dataTypes: [.heartRate, .position])
    }
}

struct TestCompany: Sendable {
    var kind = AccountKind.thirdParty
    var name = "Salus S.r.l."
    /// The VAT number of the tax agency's examples.
    var vat = "00743110157"
    var email = "info@salus.example"
    var password = AccountsTest.password

    var path: String { kind == .thirdParty ? "/third-parties" : "/organisers" }
    var form: String {
        """
        {"company_name":"\(name)","vat_number":"\(vat)","email":"\(email)","password":"\(password)",
         "terms_version":"2026-01","sector":"Health"}
        """
    }
}
