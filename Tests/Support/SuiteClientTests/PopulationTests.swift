import Domain
import Primitives
import SuiteClient
import Testing

@Suite("Simulated population")
struct PopulationTests {
    private static let referenceDate = CalendarDate(year: 2026, month: 6, day: 1)!

    @Test("everybody has a valid fiscal code and an e-mail address of their own")
    func unique() {
        let people = Population(count: 20_000).people
        #expect(people.count == 20_000)
        #expect(Set(people.map(\.fiscalCode)).count == people.count)
        #expect(Set(people.map(\.email)).count == people.count)
        #expect(people.allSatisfy { FiscalCode($0.fiscalCode.description) == $0.fiscalCode })
    }

    @Test("the first of a population are the same whether the others are made or not")
    func first() {
        #expect(Population(count: 3000, first: 40).people == Array(Population(count: 3000).people.prefix(40)))
        #expect(Population(count: 10, first: 40).people == Population(count: 10).people)
    }

    @Test("the fiscal code agrees with the date of birth and the sex")
    func agreement() {
        for person in Population(count: 3000).people {
            #expect(person.fiscalCode.agrees(with: person.birthDate))
            #expect(person.fiscalCode.sex == person.sex)
        }
    }

    @Test("at least half live in Lombardy", arguments: [1, 2, 10, 999, 3000, 20_000])
    func region(count: Int) {
        let inLombardy = Population(count: count).people.count(where: \.livesInLombardy)
        #expect(inLombardy * 2 >= count)
        #expect(count < 10 || inLombardy < count)
    }

    @Test("the first ones live in Milan")
    func milan() {
        let people = Population(count: 1200).people
        #expect(people.prefix(Population.inMilan).allSatisfy { $0.residence == BelfioreCode("F205") })
        #expect(Set(people.map(\.residence)).count > 20)
    }

    @Test("of 3000 people more than 1000 are women of 25 to 84 in Lombardy")
    func enoughForAGroup() {
        for year in [2025, 2026, 2027] {
            let count = Population(count: 3000).people.count {
                $0.livesInLombardy && $0.sex == .female && (25...84).contains(year - $0.birthDate.year)
            }
            #expect(count > 1050)
        }
    }

    @Test("everybody is an adult")
    func ages() {
        #expect(
            Population(count: 3000).people.allSatisfy {
                (18...97).contains(Self.referenceDate.age(bornOn: $0.birthDate))
            })
    }

    @Test(
        "the same people come out every time"
    )
    func determinism() {
        #expect(Population(count: 500).people == Population(count: 500).people)
    }

    @Test("newcomers are other people each time")
    func newcomers() {
        var first = Newcomers(at: Timestamp(milliseconds: 1_800_000_000_000))
        var second = Newcomers(at: Timestamp(milliseconds: 1_800_000_000_001))
        let (one, other) = (first.person(birthYears: 1980...1990), second.person(birthYears: 1980...1990))
        #expect(one.fiscalCode != other.fiscalCode)
        #expect(one.email != other.email)
        let (company, next) = (first.company("A", password: "p"), first.company("A", password: "p"))
        #expect(company.vatNumber != next.vatNumber)
        #expect(company.email != next.email)
    }
}
