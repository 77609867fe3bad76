import Domain
import Glibc
import SeededRandom

/// Where simulated people live: the middle of a city, its population in thousands, and how far it reaches.
struct ItalianCity {
    private let population: Int
    private let centre: Coordinate
    /// In metres.
    private let radius: Double

    private init?(_ population: Int, _ latitude: Double, _ longitude: Double, radius: Double) {
        guard let centre = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
        self.population = population
        self.centre = centre
        self.radius = radius
    }

    private static let all: [(weight: Int, value: ItalianCity)] = [
        ItalianCity(2750, 41.8931, 12.4828, radius: 9000), ItalianCity(1370, 45.4642, 9.1900, radius: 6000),
        ItalianCity(910, 40.8518, 14.2681, radius: 4500), ItalianCity(848, 45.0703, 7.6869, radius: 5500),
        ItalianCity(630, 38.1157, 13.3615, radius: 4000), ItalianCity(560, 44.4072, 8.9340, radius: 2500),
        ItalianCity(390, 44.4949, 11.3426, radius: 4500), ItalianCity(360, 43.7696, 11.2558, radius: 4000),
        ItalianCity(316, 41.1171, 16.8719, radius: 3000), ItalianCity(300, 37.5079, 15.0830, radius: 3500),
        ItalianCity(255, 45.4384, 10.9916, radius: 4000), ItalianCity(209, 45.4064, 11.8768, radius: 3500),
        ItalianCity(197, 45.5416, 10.2118, radius: 3000), ItalianCity(120, 45.6983, 9.6773, radius: 2500),
        ItalianCity(98, 43.6158, 13.5189, radius: 2000), ItalianCity(84, 45.8081, 9.0852, radius: 2000),
    ].compactMap { $0.map { ($0.population, $0) } }

    /// The larger, the more often.
    static func any(using generator: inout SeededGenerator) -> ItalianCity { generator.weighted(all) }

    /// Denser towards the middle.
    func place(using generator: inout SeededGenerator) -> Coordinate {
        centre.moved(metres: radius * generator.fraction(), bearing: 360 * generator.fraction())
    }
}
