import Domain
import Primitives
import SeededRandom
import Testing

@testable import Dispatcher

@Suite struct MassEventTests {
    private func place(_ latitude: Double, _ longitude: Double) -> (id: UUID, coordinate: Coordinate) {
        (UUID.random(), Coordinate(latitude: latitude, longitude: longitude)!)
    }

    @Test("SOS-13b: Many in one area are a group, also beside those of another area; few are none")
    func groups() {
        let milan = (0..<200).map { place(45.46 + Double($0) * 0.0005, 9.19) }
        let rome = (0..<12).map { _ in place(41.9, 12.5) }
        let few = (0..<9).map { _ in place(40.85, 14.27) }
        var mixed = milan + rome + few
        var random = SeededGenerator(seed: 7)
        mixed.shuffle(using: &random)
        let groups = MassEvents.groups(mixed, radius: 20_000, min: 10)
        #expect(groups.map(\.incidents.count).sorted() == [12, 200])
        #expect(Set(groups.flatMap(\.incidents)) == Set((milan + rome).map(\.id)))
        #expect(MassEvents.groups([], radius: 20_000, min: 10).isEmpty)
    }

    @Test("SOS-13b: Of one that grows the operator is told each time it has doubled")
    func growth() {
        var told = 10
        var tellings = 0
        for count in 11...200 where MassEvents.isNews(count, told: told) {
            told = count
            tellings += 1
        }
        #expect(tellings == 4 && told == 160)
    }
}
