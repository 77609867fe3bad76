import Domain
import Primitives
import Security
import Testing

@testable import Dispatcher

/// The compact forms of enrolments and identities.
@Suite struct EnrolmentPackingTests {
    private static let born = CalendarDate(year: 1950, month: 3, day: 14)!

    private static let full = EnrolmentDetails(
        birthDate: born, callbackPhone: PhoneNumber("+39021234567")!,
        contacts: [
            EmergencyContact(
                name: "Zoë Bianchi", phone: PhoneNumber("+393331234567")!, email: EmailAddress("zoe@example.org")),
            EmergencyContact(name: "Luca", phone: PhoneNumber("+393337654321")!, email: nil),
        ], conditions: ["diabete di tipo 2", "ipertensione"], medication: ["metformina 1000 mg"],
        languages: ["it", "de"], medicalReason: "una volta svenuta",
        address: HomeAddress(
            street: "Via Roma 1", postalCode: "20121", city: "Milano", province: "MI", floor: nil, country: "IT"),
        addressNotes: "secondo cortile\nscala B", abortWindowSeconds: 20)
    private static let bare = EnrolmentDetails(
        birthDate: CalendarDate(year: 2003, month: 12, day: 31)!, callbackPhone: PhoneNumber("+39021234567")!,
        contacts: [], conditions: [], medication: [], languages: [], abortWindowSeconds: 0)

    private static func packed(_ value: some Packable) -> [UInt8] {
        var packer = Packer(bytesExpected: 256)
        value.pack(into: &packer)
        return packer.bytes
    }

    private static func unpacked<Value: Packable>(_ bytes: [UInt8], as _: Value.Type) throws -> Value {
        var unpacker = Unpacker(bytes)
        let value = try Value(from: &unpacker)
        try unpacker.finish()
        return value
    }

    @Test(
        "SOS-01: an enrolment is stored as it was given, with all that may be missing and without",
        arguments: [full, bare])
    func details(_ details: EnrolmentDetails) throws {
        #expect(try Self.unpacked(Self.packed(details), as: EnrolmentDetails.self) == details)
        let (account, key) = (UUID.random(), SubjectKey.random())
        let sealed = PersonalColumn.enrolment.seal(packed: details, of: account, with: key)
        #expect(try PersonalColumn.enrolment.open(packed: sealed, of: account, with: key) == details)
        #expect(throws: SecurityError.self) {
            _ = try PersonalColumn.enrolment.open(packed: sealed, as: EnrolmentDetails.self, of: .random(), with: key)
        }
    }

    @Test("SOS-05: who an enrolled person is comes back as it was told")
    func identity() throws {
        let person = try #require(WorldTemplate.shared.people.compactMap(\.identity).first)
        #expect(try Self.unpacked(Self.packed(person), as: IncidentDetails.Person.self) == person)
    }

    @Test("NFR-03: damaged bytes are refused or give some enrolment, and never more than that")
    func damaged() throws {
        let bytes = Self.packed(Self.full)
        for count in 0..<bytes.count {
            #expect(throws: PackingError.self) {
                _ = try Self.unpacked(Array(bytes[..<count]), as: EnrolmentDetails.self)
            }
        }
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << bit
                do { _ = try Self.unpacked(other, as: EnrolmentDetails.self) } catch { #expect(error is PackingError) }
            }
        }
        #expect(throws: PackingError.version(2)) {
            _ = try Self.unpacked([2] + bytes.dropFirst(), as: EnrolmentDetails.self)
        }
    }
}
