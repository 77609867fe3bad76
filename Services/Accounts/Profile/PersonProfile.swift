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

    /// Refuses places that cannot be, of who registers.
    func checkPlaces() throws(Refusal) {
        try checkBirthplace()
        try checkResidence()
    }

    /// Refuses a place where nobody can live today; not called for who has stayed where they were, since municipalities end.
    func checkResidence() throws(Refusal) {
        guard let residence else { return }
        guard let place = PlaceTable.standard[residence] else {
            // As of a birthplace, any state is taken.
            if residence.isForeignState { return }
            throw .invalid("/residence", "There is no place with this code.", code: "unknown-place")
        }
        guard place.exists else {
            throw .invalid(
                "/residence", "\(place.name) is no more: name the municipality of today.", code: "former-place")
        }
    }

    /// A municipality that never was is a mistyped code. States change more often than their list here: any is taken.
    private func checkBirthplace() throws(Refusal) {
        let birthplace = fiscalCode.birthplace
        guard birthplace.isForeignState || PlaceTable.standard[birthplace] != nil else {
            throw .invalid(
                "/fiscal_code", "The fiscal code names a birthplace that does not exist: see its characters 12 to 15.",
                code: "unknown-birthplace")
        }
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
