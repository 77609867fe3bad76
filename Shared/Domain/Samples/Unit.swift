/// A unit of measurement, named by its UCUM code.
public struct Unit: Hashable, Sendable, CustomStringConvertible {
    /// What is measured in units that convert into each other.
    public enum Dimension: String, Sendable {
        case frequency, fraction, pressure, temperature, concentration, length, mass, energy, time, acceleration, angle
        case count, score
    }

    /// UCUM code (case-sensitive), such as `mm[Hg]`.
    public let description: String
    public let dimension: Dimension
    /// A value in this unit times `factor` plus `offset` is the value in the first unit of the dimension below.
    let factor: Double
    let offset: Double

    init(_ ucum: String, _ dimension: Dimension, factor: Double = 1, offset: Double = 0) {
        description = ucum
        self.dimension = dimension
        self.factor = factor
        self.offset = offset
    }

    public static func == (left: Unit, right: Unit) -> Bool { left.description == right.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// How values of `source`, a unit of the same dimension, become values of this unit.
    func conversion(from source: Unit) -> UnitConversion {
        UnitConversion(
            isIdentity: source == self, isFractionRefused: self == .percent && source == .percent,
            factor: source.factor, added: source.offset, subtracted: offset, divisor: factor)
    }
}

extension Unit {
    public static let perMinute = Unit("/min", .frequency)
    public static let hertz = Unit("Hz", .frequency, factor: 60)
    static let perHour = Unit("/h", .frequency, factor: 1 / 60.0)

    public static let percent = Unit("%", .fraction)
    /// Of a whole: 0.97 is 97%.
    static let partOfOne = Unit("1", .fraction, factor: 100)

    public static let millimetreOfMercury = Unit("mm[Hg]", .pressure)
    static let kilopascal = Unit("kPa", .pressure, factor: 7.500_615_758_456_6)
    static let centimetreOfWater = Unit("cm[H2O]", .pressure, factor: 0.735_559_121)

    public static let celsius = Unit("Cel", .temperature)
    static let fahrenheit = Unit("[degF]", .temperature, factor: 5 / 9.0, offset: -160 / 9.0)
    static let kelvin = Unit("K", .temperature, offset: -273.15)

    public static let milligramPerDecilitre = Unit("mg/dL", .concentration)
    /// Of glucose, 180.156 g/mol.
    static let millimolePerLitre = Unit("mmol/L", .concentration, factor: 18.0156)
    static let gramPerLitre = Unit("g/L", .concentration, factor: 100)

    public static let metre = Unit("m", .length)
    public static let centimetre = Unit("cm", .length, factor: 0.01)
    static let kilometre = Unit("km", .length, factor: 1000)
    static let millimetre = Unit("mm", .length, factor: 0.001)
    static let mile = Unit("[mi_i]", .length, factor: 1609.344)
    static let yard = Unit("[yd_i]", .length, factor: 0.9144)
    static let foot = Unit("[ft_i]", .length, factor: 0.3048)
    static let inch = Unit("[in_i]", .length, factor: 0.0254)

    public static let kilogram = Unit("kg", .mass)
    static let gram = Unit("g", .mass, factor: 0.001)
    static let pound = Unit("[lb_av]", .mass, factor: 0.453_592_37)
    static let stone = Unit("[stone_av]", .mass, factor: 6.350_293_18)

    public static let kilocalorie = Unit("kcal", .energy)
    static let calorie = Unit("cal", .energy, factor: 0.001)
    static let kilojoule = Unit("kJ", .energy, factor: 1 / 4.184)
    static let joule = Unit("J", .energy, factor: 1 / 4184.0)

    public static let minute = Unit("min", .time)
    public static let hour = Unit("h", .time, factor: 60)
    static let second = Unit("s", .time, factor: 1 / 60.0)
    static let millisecond = Unit("ms", .time, factor: 1 / 60_000.0)

    public static let metrePerSecondSquared = Unit("m/s2", .acceleration)
    public static let gravity = Unit("[g]", .acceleration, factor: 9.80665)

    public static let degree = Unit("deg", .angle)
    public static let steps = Unit("{steps}", .count)
    public static let score = Unit("{score}", .score)
    /// Of a code that has no unit.
    public static let one = Unit("1", .score)
}
