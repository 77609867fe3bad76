import SuiteClient
import Testing

@testable import Simulator

@Suite("Runners of simulated runs")
struct RaceFieldTests {
    private let people = Population(count: 20_000, first: 300).people.enumerated().map {
        (index: $0.offset, person: $0.element)
    }

    @Test("more people are asked than run, each once, and the same for the same run")
    func asked() {
        for number in 0..<12 {
            let asked = RaceField.asked(for: number, among: people)
            #expect(asked.count > RaceField.size && Set(asked).count == asked.count)
            #expect(asked == RaceField.asked(for: number, among: people))
        }
    }

    @Test("nobody is asked for runs one after the other, which end and begin at the same time")
    func disjoint() {
        for number in 0..<12 {
            let both = Set(RaceField.asked(for: number, among: people))
                .intersection(RaceField.asked(for: number + 1, among: people))
            #expect(both.isEmpty)
        }
    }

    @Test("people whose log-ins are shown run every fourth time, and the first of them the first time")
    func demo() {
        #expect(RaceField.asked(for: 0, among: people)[0] == 0)
        var counts: [Int: Int] = [:]
        for number in 4..<8 {
            for place in RaceField.asked(for: number, among: people) where place < DemoPeople.peopleCount {
                counts[place, default: 0] += 1
            }
        }
        #expect(counts.count == DemoPeople.peopleCount && counts.values.allSatisfy { $0 == 1 })
    }

    @Test("somebody whose account could not be found is not asked; the others are told by their numbers")
    func lacking() {
        let rest = Array(people.dropFirst(5))
        for number in 0..<4 {
            for place in RaceField.asked(for: number, among: rest).prefix(2) where rest[place].index < 12 {
                #expect(rest[place].index % 4 == number % 4)
            }
        }
    }

    @Test("of a field one gives up and three lose their signal for a while, none of them of the first ones")
    func fates() {
        let fates = (0..<RaceField.size).map { RaceField.fate(of: $0, among: RaceField.size) }
        #expect(fates.count { $0 == .givesUp } == 1 && fates.count { $0 == .losesSignal } == 3)
        #expect(fates.prefix(3).allSatisfy { $0 == .runsThrough })
        #expect((0..<3).allSatisfy { RaceField.fate(of: $0, among: 3) == .runsThrough })
    }
}
