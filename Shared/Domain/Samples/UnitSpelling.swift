/// The ways in which devices, apps and people write units (ING-01).
extension DataType {
    /// The value in the canonical unit, from any common spelling of a unit of the same kind. The case of letters does not
    /// matter except where UCUM needs it to; `nil` stands for the canonical unit.
    ///
    /// A saturation such as 0.97 with the unit `%` is an error, since it is more likely a fraction; with the unit `1` it is 97%.
    public func canonical(_ value: Double, unit spelling: String?) throws(UnitError) -> Double {
        guard value.isFinite else { throw .notANumber(self) }
        guard kind != .position else { throw .notASingleValue(self) }
        let conversion = try conversion(from: spelling)
        if conversion.isFractionRefused, value > 0, value <= 1 { throw .fraction(self, value) }
        return conversion.canonical(value)
    }

    /// The same for many values of one unit, without their checks: they have to be finite, and no fractions where those are
    /// refused.
    public func conversion(from spelling: String?) throws(UnitError) -> UnitConversion {
        guard kind != .position else { throw .notASingleValue(self) }
        return unit.conversion(from: try spelling.map { text throws(UnitError) in try parsedUnit(text) } ?? unit)
    }

    private func parsedUnit(_ spelling: String) throws(UnitError) -> Unit {
        if spelling == unit.description { return unit }
        let bytes = trimmed(spelling).filter { $0 != UInt8(ascii: " ") }
        guard bytes.count <= 40 else { throw .unknown(self, spelling) }
        // Apple Health states the molar mass: mmol<180.1558800000541>/L.
        var text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("mmol<180."), text.hasSuffix(">/L") { text = "mmol/L" }
        let lower = String(decoding: text.utf8.map(\.lowerCased), as: UTF8.self)
        for (unit, spellings) in Self.spellings[unit.dimension] ?? []
        where unit.description == text || spellings.contains(lower) {
            return unit
        }
        throw .unknown(self, spelling)
    }

    /// In lower case and without blanks; the UCUM code of each unit is accepted beside them.
    private static let spellings: [Unit.Dimension: [(Unit, Set<String>)]] = [
        .frequency: [
            (
                .perMinute,
                [
                    "bpm", "/min", "1/min", "min-1", "min^-1", "count/min", "beats/min", "beats/minute", "{beats}/min",
                    "{beats}/minute", "breaths/min", "breaths/minute", "{breaths}/min", "brpm", "rpm", "/minute",
                    "beatsperminute", "breathsperminute",
                ]
            ),
            (.hertz, ["hz", "/s", "1/s", "count/s"]), (.perHour, ["/h", "1/h"]),
        ],
        .fraction: [(.percent, ["%", "percent", "pct"]), (.partOfOne, ["1", "fraction", "ratio"])],
        .pressure: [
            (.millimetreOfMercury, ["mmhg", "mm[hg]", "mm_hg"]), (.kilopascal, ["kpa"]),
            (.centimetreOfWater, ["cmh2o", "cm[h2o]", "cmaq"]),
        ],
        .temperature: [
            (.celsius, ["cel", "°c", "℃", "degc", "c", "celsius"]),
            (.fahrenheit, ["[degf]", "°f", "℉", "degf", "f", "fahrenheit"]), (.kelvin, ["k", "kelvin"]),
        ],
        .concentration: [
            (.milligramPerDecilitre, ["mg/dl"]), (.millimolePerLitre, ["mmol/l"]), (.gramPerLitre, ["g/l"]),
        ],
        .length: [
            (.metre, ["m", "meter", "meters", "metre", "metres"]),
            (.kilometre, ["km", "kilometer", "kilometers", "kilometre", "kilometres"]),
            (.centimetre, ["cm", "centimeter", "centimeters", "centimetre", "centimetres"]), (.millimetre, ["mm"]),
            (.mile, ["mi", "[mi_i]", "mile", "miles"]), (.yard, ["yd", "[yd_i]", "yard", "yards"]),
            (.foot, ["ft", "[ft_i]", "foot", "feet"]), (.inch, ["in", "[in_i]", "inch", "inches"]),
        ],
        .mass: [
            (.kilogram, ["kg", "kilogram", "kilograms"]), (.gram, ["g", "gram", "grams"]),
            (.pound, ["lb", "lbs", "[lb_av]", "pound", "pounds"]), (.stone, ["st", "[stone_av]", "stone"]),
        ],
        .energy: [
            // UCUM: cal is the small calorie; Cal, as apps write it, is the large one.
            (.calorie, []), (.kilocalorie, ["kcal", "kilocalorie", "kilocalories", "cal"]),
            (.kilojoule, ["kj", "kilojoule", "kilojoules"]), (.joule, ["j", "joule", "joules"]),
        ],
        .time: [
            (.minute, ["min", "minute", "minutes", "mins"]), (.hour, ["h", "hr", "hrs", "hour", "hours"]),
            (.second, ["s", "sec", "secs", "second", "seconds"]), (.millisecond, ["ms"]),
        ],
        .acceleration: [
            (.metrePerSecondSquared, ["m/s2", "m/s^2", "m/s²", "m.s-2", "m/s/s"]), (.gravity, ["g", "[g]"]),
        ],
        .count: [(.steps, ["1", "count", "steps", "step", "{steps}", "{count}"])],
        .score: [(.score, ["1", "score", "{score}", "points"])],
    ]
}
