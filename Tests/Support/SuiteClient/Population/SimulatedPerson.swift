public import Contracts
public import Domain
public import Primitives

/// A person who does not exist, complete enough to be registered.
public struct SimulatedPerson: Sendable, Equatable {
    public let name: String
    public let surname: String
    public let sex: Sex
    public let birthDate: CalendarDate
    public let fiscalCode: FiscalCode
    public let email: EmailAddress
    public let residence: BelfioreCode
    public let livesInLombardy: Bool
    public let occupation: Occupation
    /// Beats per minute at rest.
    public let restingHeartRate: Double
    /// 0 (never moves) to 1 (athlete).
    public let fitness: Double

    /// What the device of those provides who have but one.
    public static let dataTypes: [DataType] = [.position, .heartRate, .steps, .sleep, .oxygenSaturation]

    public func form(password: String, language: Language = .italian) -> IndividualForm {
        IndividualForm(
            name: name, surname: surname, birthDate: birthDate, fiscalCode: fiscalCode, email: email,
            password: password, termsVersion: API.termsVersion, residence: residence, occupation: occupation,
            language: language)
    }

    public var provision: Accounts.Provision.Person {
        .init(
            name: name, surname: surname, birthDate: birthDate, fiscalCode: fiscalCode, email: email,
            residence: residence, occupation: occupation, dataTypes: Self.dataTypes,
            consents: .init(healthData: true, position: true))
    }
}

extension SimulatedPerson {
    enum Home {
        case milan
        case lombardy
        case elsewhere

        fileprivate var places: [(weight: Int, value: BelfioreCode)] {
            switch self {
            case .milan: Places.milan
            case .lombardy: Places.lombardy
            case .elsewhere: Places.elsewhere
            }
        }
    }

    /// Makes up a person. `birthYears` bounds the age; `isTaken` says which fiscal codes are somebody else's: then another
    /// birthday is tried.
    init(
        tag: String, home: Home, birthYears: ClosedRange<Int>? = nil,
        using generator: inout SeededGenerator, isTaken: (FiscalCode) -> Bool
    ) {
        let sex: Sex = generator.index(below: 100) < 51 ? .female : .male
        let name = generator.element(of: sex == .female ? ItalianNames.female : ItalianNames.male)
        let surname = generator.element(of: ItalianNames.surnames)
        let year: Int
        if let birthYears {
            year = birthYears.lowerBound + generator.index(below: birthYears.count)
        } else {
            let decade = generator.weighted(Population.ageBands)
            year = Population.referenceYear - decade.lowerBound - generator.index(below: decade.count)
        }
        let residence = generator.weighted(home.places)
        let origin = generator.index(below: 100)
        let birthplace =
            origin < 60 ? residence : generator.weighted(origin < 90 ? Places.elsewhere : Places.abroad)
        let first = CalendarDate(year: year, month: 1, day: 1) ?? CalendarDate(daysSinceEpoch: 0)
        var day = generator.index(below: 365)
        var code: FiscalCode
        repeat {
            day = (day + 1) % 365
            code = Self.code(surname, name, first.adding(days: day), sex, birthplace)
        } while isTaken(code)
        let age = Population.referenceYear - year
        let fitness = generator.fraction()
        self.name = name
        self.surname = surname
        self.sex = sex
        birthDate = first.adding(days: day)
        fiscalCode = code
        email = Self.email(name, surname, tag)
        self.residence = residence
        livesInLombardy = home != .elsewhere
        occupation = Self.occupation(age: age, using: &generator)
        self.fitness = fitness
        restingHeartRate = (74 - 18 * fitness + (sex == .female ? 3 : 0) + 2 * generator.deviation()).rounded()
    }

    private static func code(
        _ surname: String, _ name: String, _ birth: CalendarDate, _ sex: Sex, _ place: BelfioreCode
    ) -> FiscalCode {
        do throws(FiscalCodeError) {
            return try .make(surname: surname, name: name, birth: birth, sex: sex, place: place)
        } catch { preconditionFailure("\(name) \(surname) has no fiscal code: \(error)") }
    }

    /// In a domain that is never anybody's (RFC 2606).
    private static func email(_ name: String, _ surname: String, _ tag: String) -> EmailAddress {
        let plain = "\(name).\(surname)".lowercased().filter { $0.isASCII && ($0.isLetter || $0 == ".") }
        guard let address = EmailAddress("\(plain)\(tag.isEmpty ? "" : ".\(tag)")@example.org") else {
            preconditionFailure("\(plain) makes no e-mail address")
        }
        return address
    }

    private static func occupation(age: Int, using generator: inout SeededGenerator) -> Occupation {
        switch age {
        case ..<25: generator.weighted([(60, .student), (28, .employed), (12, .unemployed)])
        case ..<66: generator.weighted([(4, .student), (74, .employed), (10, .unemployed), (12, .other)])
        default: generator.weighted([(90, .retired), (7, .employed), (3, .other)])
        }
    }
}
