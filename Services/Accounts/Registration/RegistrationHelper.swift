import Contracts
import Domain
import JSON
import Primitives

/// Who has filled in the form for the person (ACC-02): a relative, whose person confirms it at the first log-in, or the parent of
/// somebody under 14, who consents by the link of a mail of its own (GDPR 8; D.Lgs. 196/2003, art. 2-quinquies).
enum RegistrationHelper: Sendable {
    /// From this age on people consent for themselves.
    static let consentAge = 14
    static let adultAge = 18

    struct Relative: Codable, Sendable {
        let name: String
        let surname: String
    }

    struct Parent: Codable, Sendable {
        let name: String
        let surname: String
        let fiscalCode: FiscalCode
        let email: EmailAddress
    }

    case relative(Relative)
    case parent(Parent)

    enum Relation: String, Codable, Sendable { case relative, parent }

    /// What is stored, sealed.
    struct Stored: Codable, Sendable {
        let name: String
        let surname: String
        /// The rest is of parents only.
        var fiscalCode: FiscalCode?
        var email: EmailAddress?
        /// What the parent will have agreed to by confirming.
        var consents: Accounts.Consents?
        var termsVersion: String?
        /// When the child consents for itself.
        var ownFrom: CalendarDate?
    }

    var relation: Relation {
        switch self {
        case .relative: .relative
        case .parent: .parent
        }
    }

    /// Reads `relative` and `parent`, of which a form has at most one; and of a child's form it has to have `parent`.
    static func read(
        _ form: inout FormReader, bornOn birthDate: CalendarDate?, _ code: FiscalCode?, today: CalendarDate
    ) -> RegistrationHelper? {
        let relative: Relative? = form.optional("relative")
        let parent: Parent? = form.optional("parent")
        let isChild = birthDate.map { $0 <= today && today.age(bornOn: $0) < consentAge } ?? false
        if isChild, !form.has("parent") {
            form.faults.add(
                .invalid(
                    "/parent",
                    "Who is under \(consentAge) is registered by a parent: name, surname, fiscal_code, email.",
                    code: "parent-needed"))
        }
        if let birthDate, birthDate <= today, !isChild, form.has("parent") {
            form.faults.add(
                .invalid(
                    "/parent", "Who is \(consentAge) or older consents alone; a relative who helps is `relative`.",
                    code: "no-parent-needed"))
        }
        if form.has("relative"), form.has("parent") {
            form.faults.add(.invalid("/relative", "The parent fills the form in: leave this out.", code: "one-of-two"))
        }
        for (place, name, surname) in [
            ("relative", relative?.name, relative?.surname), ("parent", parent?.name, parent?.surname),
        ] {
            for case (let member, let text?) in [("name", name), ("surname", surname)] {
                form.faults.gather { () throws(Refusal) in
                    try PlainText.check(
                        text, charactersMax: PersonProfile.nameCharactersMax, at: "/\(place)/\(member)")
                }
            }
        }
        if let parent { form.faults.gather { () throws(Refusal) in try check(parent, of: code, today: today) } }
        return parent.map { .parent($0) } ?? relative.map { .relative($0) }
    }

    private static func check(_ parent: Parent, of child: FiscalCode?, today: CalendarDate) throws(Refusal) {
        let isAdult = parent.fiscalCode.birthDate(asOf: today).map { today.age(bornOn: $0) >= adultAge } ?? false
        guard isAdult, parent.fiscalCode != child else {
            throw .invalid(
                "/parent/fiscal_code", "This is not the fiscal code of an adult other than the child.",
                code: "no-parent")
        }
    }

    /// What is stored of it for somebody born on `birthDate`.
    func stored(_ consents: Accounts.Consents, _ termsVersion: String, bornOn birthDate: CalendarDate) -> Stored {
        switch self {
        case .relative(let relative): Stored(name: relative.name, surname: relative.surname)
        case .parent(let parent):
            Stored(
                name: parent.name, surname: parent.surname, fiscalCode: parent.fiscalCode, email: parent.email,
                consents: consents, termsVersion: termsVersion, ownFrom: Self.ownFrom(birthDate))
        }
    }

    /// The first day on which somebody has the age.
    private static func ownFrom(_ birthDate: CalendarDate) -> CalendarDate {
        let (year, month, day) = birthDate.components
        // Born on 29 February: 14 on 1 March, since no such birthday's year is a leap year.
        return CalendarDate(year: year + consentAge, month: month, day: day)
            ?? CalendarDate(year: year + consentAge, month: 3, day: 1) ?? birthDate
    }
}
