import Contracts
import Domain
import Primitives
import SuiteClient
import Testing

@Suite("Simulated history")
struct SimulatedHistoryTests {
    private let person = Population(count: 1).people[0]
    private let days = (1...30).map { CalendarDate(year: 2026, month: 5, day: 1)!.adding(days: $0) }

    @Test("every sample is plausible and within its days")
    func plausible() {
        let series = SimulatedHistory(of: person, index: 0).series(days)
        #expect(series.map(\.count).reduce(0, +) == 30 * 20)
        for one in series {
            #expect(one.shapeError == nil)
            #expect((one.values ?? []).allSatisfy { one.type.plausible.contains($0) })
            for index in 0..<one.count {
                #expect(days.contains(one.time(index).dateUTC))
            }
        }
    }

    @Test("a day is the same whichever days are made with it")
    func determinism() throws {
        let history = SimulatedHistory(of: person, index: 7)
        let all = history.series(days)
        let rates = try #require(all.first { $0.type == .heartRate }?.values)
        #expect(Array(rates[(3 * 12)..<(4 * 12)]) == history.heartRates(on: days[3]))
    }

    @Test("the heart beats slower at night")
    func nights() {
        let rates = (0..<30).map { SimulatedHistory(of: person, index: 0).heartRates(on: days[$0]) }
        let night = rates.map { $0[0] + $0[1] + $0[2] }.reduce(0, +)
        let evening = rates.map { $0[7] + $0[8] + $0[9] }.reduce(0, +)
        #expect(night < evening)
    }
}
