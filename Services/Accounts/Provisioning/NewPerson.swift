import Contracts
import Domain
import JSON
import Primitives

/// One person to provision, checked and ready to be stored.
struct NewPerson: Sendable {
    let id: UUID
    let device: UUID
    let pseudonym: UUID
    let profile: PersonProfile
    let types: [Int16]
    let consents: Accounts.Consents
    let emailIndex: [UInt8]
    let codeIndex: [UInt8]
    let sealedEmail: [UInt8]
    let sealedProfile: [UInt8]
    let sealedDeviceName: [UInt8]

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
        emailIndex = columns.index(person.email)
        codeIndex = columns.index(person.fiscalCode)
        sealedEmail = columns.seal(person.email.description, .email, row: id)
        sealedProfile = try columns.seal(encoding: profile, .person, row: id)
        sealedDeviceName = columns.seal(Provisioning.deviceName, .deviceName, row: device)
    }
}
