import Contracts
import Domain
import JSON
import Primitives
import Security

/// One person to provision, checked.
struct NewPerson: Sendable {
    let id: UUID
    let device: UUID
    let pseudonym: UUID
    let profile: PersonProfile
    let types: [Int16]
    let consents: Accounts.Consents
    let email: EmailAddress
    let emailIndex: [UInt8]
    let codeIndex: [UInt8]

    init(_ person: Accounts.Provision.Person, today: CalendarDate, columns: PersonalColumns) throws {
        profile = PersonProfile(
            name: person.name, surname: person.surname, birthDate: person.birthDate, fiscalCode: person.fiscalCode,
            residence: person.residence, occupation: person.occupation)
        try profile.check(today: today)
        try profile.checkPlaces()
        try Devices.check(name: Provisioning.deviceName, dataTypes: person.dataTypes)
        id = .random()
        device = .random()
        pseudonym = .random()
        types = DataType.toStore(person.dataTypes)
        consents = person.consents ?? .none
        email = person.email
        emailIndex = columns.index(person.email)
        codeIndex = columns.index(person.fiscalCode)
    }

    /// What is stored of a person with the account's key.
    struct Sealed: Sendable {
        let email: [UInt8]
        let profile: [UInt8]
        let deviceName: [UInt8]
    }

    func sealed(_ columns: PersonalColumns, with key: SubjectKey) throws -> Sealed {
        Sealed(
            email: columns.seal(email.description, .email, row: id, with: key),
            profile: try columns.seal(encoding: profile, .person, row: id, with: key),
            deviceName: columns.seal(Provisioning.deviceName, .deviceName, row: device, with: key))
    }
}
