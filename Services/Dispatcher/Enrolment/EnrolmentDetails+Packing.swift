import Domain
import Primitives

/// The compact forms of what is kept, sealed, in memory of everybody who is watched: a third of the same in JSON. Each begins with its
/// version; what a later version has written is not read.
extension EnrolmentDetails: Packable {
    private static let packedVersion: UInt8 = 1

    func pack(into packer: inout Packer) {
        packer.add(byte: Self.packedVersion)
        packer.add(birthDate)
        packer.add(callbackPhone.description)
        packer.add(contacts) { packer, contact in
            packer.add(contact.name)
            packer.add(contact.phone.description)
            packer.add(optional: contact.email?.description)
        }
        for texts in [conditions, medication, languages] { packer.add(texts) { $0.add($1) } }
        packer.add(optional: medicalReason)
        packer.add(byte: address == nil ? 0 : 1)
        if let address {
            packer.add(address.street)
            packer.add(address.postalCode)
            packer.add(address.city)
            packer.add(optional: address.province)
            packer.add(optional: address.floor)
            packer.add(address.country)
        }
        packer.add(optional: addressNotes)
        packer.add(signed: Int64(abortWindowSeconds))
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        let version = try unpacker.byte()
        guard version == Self.packedVersion else { throw .version(version) }
        birthDate = try unpacker.date()
        callbackPhone = try unpacker.validated()
        contacts = try unpacker.list { unpacker throws(PackingError) in
            let (name, phone): (String, PhoneNumber) = (try unpacker.text(), try unpacker.validated())
            return EmergencyContact(name: name, phone: phone, email: try unpacker.optionalValidated())
        }
        conditions = try unpacker.list { unpacker throws(PackingError) in try unpacker.text() }
        medication = try unpacker.list { unpacker throws(PackingError) in try unpacker.text() }
        languages = try unpacker.list { unpacker throws(PackingError) in try unpacker.text() }
        medicalReason = try unpacker.optionalText()
        address = try unpacker.byte() == 0 ? nil : try HomeAddress(from: &unpacker)
        addressNotes = try unpacker.optionalText()
        abortWindowSeconds = Int(try unpacker.signed())
    }
}

extension HomeAddress {
    fileprivate init(from unpacker: inout Unpacker) throws(PackingError) {
        self.init(
            street: try unpacker.text(), postalCode: try unpacker.text(), city: try unpacker.text(),
            province: try unpacker.optionalText(), floor: try unpacker.optionalText(), country: try unpacker.text())
    }
}

extension IncidentDetails.Person: Packable {
    private static let packedVersion: UInt8 = 1

    func pack(into packer: inout Packer) {
        packer.add(byte: Self.packedVersion)
        packer.add(name)
        packer.add(surname)
        packer.add(fiscalCode.description)
        packer.add(birthDate)
        packer.add(byte: sex == .female ? 0 : 1)
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        let version = try unpacker.byte()
        guard version == Self.packedVersion else { throw .version(version) }
        name = try unpacker.text()
        surname = try unpacker.text()
        fiscalCode = try unpacker.validated()
        birthDate = try unpacker.date()
        sex = try unpacker.byte() == 0 ? .female : .male
    }
}
