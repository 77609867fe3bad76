import Contracts
import Domain
import Primitives

/// The data of an individual (ACC-02); stored as one sealed value.
struct PersonProfile: Codable, Sendable, Equatable {
    static let nameCharactersMax = 100
    private static let ageMax = 130

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

    /// Reads the members of a person's form; `nil` when something is wrong with them, which is in the reader then.
    init?(_ form: inout FormReader, today: CalendarDate) {
        let before = form.faults.refusals.count
        let name: String? = form.required("name")
        let surname: String? = form.required("surname")
        let birthDate: CalendarDate? = form.required("birth_date")
        let fiscalCode: FiscalCode? = form.required("fiscal_code")
        residence = form.optional("residence")
        occupation = form.optional("occupation")
        phone = form.optional("phone")
        zone = form.optional("zone")
        Self.check(
            name: name, surname: surname, birthDate: birthDate, fiscalCode: fiscalCode, zone: zone, today: today,
            &form.faults)
        if let fiscalCode { form.faults.gather { () throws(Refusal) in try Self.check(birthplaceOf: fiscalCode) } }
        if let residence { form.faults.gather { () throws(Refusal) in try Self.check(residence: residence) } }
        guard let name, let surname, let birthDate, let fiscalCode, form.faults.refusals.count == before else {
            return nil
        }
        (self.name, self.surname, self.birthDate, self.fiscalCode) = (name, surname, birthDate, fiscalCode)
    }

    init(
        name: String, surname: String, birthDate: CalendarDate, fiscalCode: FiscalCode, residence: BelfioreCode?,
        occupation: Occupation?
    ) {
        self.name = name
        self.surname = surname
        self.birthDate = birthDate
        self.fiscalCode = fiscalCode
        self.residence = residence
        self.occupation = occupation
    }

    /// Refuses data that no person can have on the day `today`.
    func check(today: CalendarDate) throws(Refusal) {
        var faults = Faults()
        Self.check(
            name: name, surname: surname, birthDate: birthDate, fiscalCode: fiscalCode, zone: zone, today: today,
            &faults)
        try faults.check()
    }

    /// Gathers what no person can have of what is known.
    private static func check(
        name: String?, surname: String?, birthDate: CalendarDate?, fiscalCode: FiscalCode?, zone: TimeZoneName?,
        today: CalendarDate, _ faults: inout Faults
    ) {
        for case (let pointer, let text?) in [("/name", name), ("/surname", surname)] {
            faults.gather { () throws(Refusal) in
                try PlainText.check(text, charactersMax: nameCharactersMax, at: pointer)
            }
        }
        if let birthDate {
            faults.gather { () throws(Refusal) in try check(birthDate, fiscalCode, today: today) }
        }
        if let zone { faults.gather { () throws(Refusal) in try check(zone) } }
    }

    private static func check(_ birthDate: CalendarDate, _ code: FiscalCode?, today: CalendarDate) throws(Refusal) {
        guard birthDate <= today, today.age(bornOn: birthDate) <= ageMax else {
            throw .invalid("/birth_date", "Nobody living was born on that day.")
        }
        guard code?.agrees(with: birthDate) ?? true else {
            throw .invalid(
                "/birth_date", "The date of birth is not the one in the fiscal code.", code: "birth-date-differs")
        }
    }

    /// Refuses places that cannot be, of who is registered.
    func checkPlaces() throws(Refusal) {
        var faults = Faults()
        faults.gather { () throws(Refusal) in try Self.check(birthplaceOf: fiscalCode) }
        faults.gather { () throws(Refusal) in try checkResidence() }
        try faults.check()
    }

    /// Refuses a place where nobody can live today; not called for who has stayed where they were, since municipalities end.
    func checkResidence() throws(Refusal) {
        if let residence { try Self.check(residence: residence) }
    }

    private static func check(residence: BelfioreCode) throws(Refusal) {
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

    /// A municipality that never was is a mistyped code. States change more often than their list here: any is taken. Whether
    /// there was the municipality in the year of birth is not asked: who was born before 1976 got the code of the municipality
    /// where the birth was on record later.
    private static func check(birthplaceOf code: FiscalCode) throws(Refusal) {
        guard code.birthplace.isForeignState || PlaceTable.standard[code.birthplace] != nil else {
            throw .invalid(
                "/fiscal_code", "The fiscal code names a birthplace that does not exist: see its characters 12 to 15.",
                code: "unknown-birthplace")
        }
    }

    private static func check(_ zone: TimeZoneName) throws(Refusal) {
        do throws(SmallFile.Failure) {
            try SmallFile.check("\(zoneDirectory)/\(zone)")
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
