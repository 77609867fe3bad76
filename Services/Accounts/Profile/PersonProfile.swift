import Contracts
import Domain
import Primitives

/// The data of an individual (ACC-02); stored as one sealed value.
struct PersonProfile: Codable, Sendable, Equatable {
    static let nameCharactersMax = 100

    var name: String
    var surname: String
    let birthDate: CalendarDate
    let fiscalCode: FiscalCode
    /// Municipality or foreign state.
    var residence: BelfioreCode?
    var occupation: Occupation?
    var phone: PhoneNumber?

    /// Refuses data that no person can have on the day `today`.
    func check(today: CalendarDate) throws(Refusal) {
        try PlainText.check(name, charactersMax: Self.nameCharactersMax, at: "/name")
        try PlainText.check(surname, charactersMax: Self.nameCharactersMax, at: "/surname")
        guard birthDate <= today, today.age(bornOn: birthDate) <= 130 else {
            throw .invalid("/birth_date", "Nobody living was born on that day.")
        }
        guard fiscalCode.agrees(with: birthDate) else {
            throw .invalid(
                "/birth_date", "The date of birth is not the one in the fiscal code.", code: "birth-date-differs")
        }
    }

    /// The part for the anonymous store: nothing that names the person.
    func coarse(subject: Int32) -> Accounts.CoarseProfile {
        Accounts.CoarseProfile(
            subject: subject, birthYear: birthDate.year, sex: fiscalCode.sex, residence: residence,
            birthplace: fiscalCode.birthplace, occupation: occupation)
    }
}
