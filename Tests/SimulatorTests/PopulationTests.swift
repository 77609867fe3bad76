import Contracts
import Domain
import Primitives
import SimulatedPeople
import SuiteClient
import Testing

@testable import Simulator

@Suite("Devices of the simulated population")
struct PopulationTests {
    private static let days = (0..<30).map { CalendarDate(year: 2026, month: 5, day: 1)!.adding(days: $0) }
    private let people = Population(count: 40).people

    private func wearer(_ index: Int) -> SimulatedWearer {
        people[index].wearer(index, through: Self.days[0]...Self.days[29])
    }

    @Test("a person's body is the one that the register knows")
    func bodies() {
        for index in people.indices {
            let (person, body) = (people[index], wearer(index).body)
            #expect(body.age == Population.referenceYear - person.birthDate.year)
            #expect(body.restingHeartRate == person.restingHeartRate && body.fitness == person.fitness)
            #expect(wearer(index).body == body)
        }
        #expect(Set(people.indices.map { wearer($0).body.home.latitude }).count == people.count)
    }

    @Test("everybody sleeps every night and has a mean heart rate that group statistics expect")
    func sparse() {
        var means: [Double] = []
        for index in people.indices {
            let history = wearer(index).sparseHistory(Self.days, positions: false)
            #expect(history.filter { $0.type == .sleep }.reduce(0) { $0 + $1.count } == Self.days.count)
            #expect(history.allSatisfy { SimulatedPerson.dataTypes.contains($0.type) })
            let rates = history.filter { $0.type == .heartRate }.flatMap { $0.values ?? [] }.filter { $0 > 0 }
            means.append(rates.reduce(0, +) / Double(rates.count))
        }
        let mean = means.reduce(0, +) / Double(means.count)
        #expect(abs(mean - 72) < 4, "\(mean)")
    }

    @Test("those with log-ins have a week of what watch and phone measure, of types that these provide")
    func dense() {
        let wearer = wearer(0)
        for day in Self.days.prefix(7) {
            let measured = wearer.day(day)
            #expect(measured.watch.allSatisfy { SimulatedWearer.watchTypes.contains($0.type) })
            #expect(measured.phone.allSatisfy { SimulatedWearer.phoneTypes.contains($0.type) })
            let count = (measured.watch + measured.phone).reduce(0) { $0 + $1.count }
            #expect((10_000...25_000).contains(count), "\(count)")
        }
    }
}
