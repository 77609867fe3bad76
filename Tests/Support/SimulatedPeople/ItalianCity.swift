import Domain
import Glibc
import SeededRandom

/// Where simulated people live: the middle of a city, its population in thousands, and how far it reaches.
struct ItalianCity {
    private let code: String
    private let population: Int
    private let centre: Coordinate
    /// In metres.
    private let radius: Double

    private init?(_ code: String, _ population: Int, _ latitude: Double, _ longitude: Double, radius: Double) {
        guard let centre = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
        self.code = code
        self.population = population
        self.centre = centre
        self.radius = radius
    }

    private static let all = [
        ItalianCity("H501", 2750, 41.8931, 12.4828, radius: 9000),
        ItalianCity("F205", 1370, 45.4642, 9.1900, radius: 6000),
        ItalianCity("F839", 910, 40.8518, 14.2681, radius: 4500),
        ItalianCity("L219", 848, 45.0703, 7.6869, radius: 5500),
        ItalianCity("G273", 630, 38.1157, 13.3615, radius: 4000),
        ItalianCity("D969", 560, 44.4072, 8.9340, radius: 2500),
        ItalianCity("A944", 390, 44.4949, 11.3426, radius: 4500),
        ItalianCity("D612", 360, 43.7696, 11.2558, radius: 4000),
        ItalianCity("A662", 316, 41.1171, 16.8719, radius: 3000),
        ItalianCity("C351", 300, 37.5079, 15.0830, radius: 3500),
        ItalianCity("L781", 255, 45.4384, 10.9916, radius: 4000),
        ItalianCity("L736", 250, 45.4935, 12.2463, radius: 3000),
        ItalianCity("G224", 209, 45.4064, 11.8768, radius: 3500),
        ItalianCity("L424", 200, 45.6495, 13.7768, radius: 2000),
        ItalianCity("B157", 197, 45.5416, 10.2118, radius: 3000),
        ItalianCity("G478", 165, 43.1107, 12.3908, radius: 3000),
        ItalianCity("B354", 147, 39.2238, 9.1217, radius: 2500),
        ItalianCity("F704", 123, 45.5845, 9.2744, radius: 2500),
        ItalianCity("A794", 120, 45.6983, 9.6773, radius: 2500),
        ItalianCity("A271", 98, 43.6158, 13.5189, radius: 2000),
        ItalianCity("C933", 84, 45.8081, 9.0852, radius: 2000),
        ItalianCity("L682", 79, 45.8206, 8.8251, radius: 2000),
        ItalianCity("D150", 71, 45.1333, 10.0227, radius: 2000),
        ItalianCity("G388", 71, 45.1847, 9.1582, radius: 2000),
        ItalianCity("E897", 49, 45.1564, 10.7914, radius: 1500),
        ItalianCity("E507", 47, 45.8566, 9.3977, radius: 1500),
        ItalianCity("E648", 45, 45.3097, 9.5037, radius: 1500),
        ItalianCity("I829", 21, 46.1699, 9.8715, radius: 1000),
    ].compactMap(\.self)

    private static let weighted = all.map { (weight: $0.population, value: $0) }

    /// The larger, the more often.
    static func any(using generator: inout SeededGenerator) -> ItalianCity { generator.weighted(weighted) }

    /// `nil` for places that are not in the list.
    static func city(_ code: BelfioreCode) -> ItalianCity? { all.first { $0.code == code.description } }

    /// Denser towards the middle.
    func place(using generator: inout SeededGenerator) -> Coordinate {
        centre.moved(metres: radius * generator.fraction(), bearing: 360 * generator.fraction())
    }
}
