import Contracts
import Domain
import Primitives
import ProcessTesting

/// Simulated people.
enum People {
    /// Whoever knows it made them.
    static let population = "the people of the tests of the whole suite"

    /// One of many that differ: 10,000.
    static func person(_ number: Int) throws -> Accounts.Provision.Person {
        guard let milan = BelfioreCode("F205"), let email = EmailAddress("person\(number)@example.org") else {
            throw ProcessFailure("no such place, or no such address")
        }
        let birth = CalendarDate(daysSinceEpoch: Int32(number % 10_000))
        return Accounts.Provision.Person(
            name: "Anna", surname: "Bianchi", birthDate: birth,
            fiscalCode: try FiscalCode.make(
                surname: "Bianchi", name: "Anna", birth: birth, sex: .female, place: milan),
            email: email, residence: milan, occupation: .employed, dataTypes: [.heartRate],
            consents: .init(healthData: true, position: true))
    }
}
