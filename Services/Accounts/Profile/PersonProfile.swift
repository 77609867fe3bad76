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
    /// Where the person lives; Europe/Rome when it is not said.
    var zone: TimeZoneName?

    /// The data of time zones of this machine (RFC 9636), a file for each.
    private static let zoneDirectory = "/usr/share/zoneinfo"

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
        try checkZone()
    }

    private func checkZone() throws(Refusal) {
        guard let zone else { return }
        do throws(SmallFile.Failure) {
            try SmallFile.check("\(Self.zoneDirectory)/\(zone)")
        } catch {
            throw .invalid("/zone", "This is no time zone that is known here.", code: "unknown-zone")
        }
    }

    /// The part for the anonymous store: nothing that names the person.
    func coarse(subject: Int32) -> Accounts.CoarseProfile {
        Accounts.CoarseProfile(
            subject: subject, birthYear: birthDate.year, sex: fiscalCode.sex, residence: residence,
            birthplace: fiscalCode.birthplace, occupation: occupation)
    }
}
