/// What can be measured about a person (ING-01). The number is what storage keeps: never change or reuse one.
public enum DataType: UInt8, Sendable, CaseIterable {
    case position = 1
    case heartRate = 2
    case bloodPressureSystolic = 3
    case bloodPressureDiastolic = 4
    case oxygenSaturation = 5
    case respirationRate = 6
    case bodyTemperature = 7
    case glucose = 8
    case stressLevel = 9
    case steps = 10
    /// Walked or run.
    case distance = 11
    case activeEnergy = 12
    case restingEnergy = 13
    /// Hours of the day in which the person stood up.
    case standHours = 14
    /// Time asleep; it belongs to the day it ends.
    case sleep = 15
    case weight = 16
    case height = 17
    case nutritionEnergy = 18
    /// What the person was doing, and where: see `Activity`.
    case activity = 19
    /// How strongly the device is shaken: root mean square of the acceleration without gravity.
    case motion = 20
    /// Self-reported, 0 (very bad) to 10 (very good).
    case wellBeing = 21
    /// What the device is shaken with: the dominant frequency of its acceleration, once a second, computed by the device from
    /// accelerometry of at least 25 Hz (SOS-02d). It says something together with `shakingAmplitude` of the same time.
    case shakingFrequency = 22
    /// How far that shaking goes: the amplitude of the acceleration at the dominant frequency, in parts of gravity.
    case shakingAmplitude = 23

    /// How values of a type combine over time.
    public enum Kind: String, Sendable {
        /// A level: the mean counts.
        case rate
        /// An amount per sample: the sum counts.
        case counter
        /// One of a few codes: how long each lasted counts.
        case state
        /// A `PositionFix`, which is no single number.
        case position
    }

    /// What is paused together (ING-14).
    public enum Group: String, Sendable, CaseIterable {
        case position
        case health
    }

    /// The type with that kebab-case name.
    public init?(name: String) {
        guard let type = Self.byName[name] else { return nil }
        self = type
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// The name in JSON, addresses and files, in kebab case.
    public var name: String { definition.name }
    /// The unit that values are kept in.
    public var unit: Unit { definition.unit }
    /// LOINC code of the observation, where there is one that says neither more nor less.
    public var loinc: String? { definition.loinc }
    /// Values outside are refused as errors of measurement or unit. A sensor without contact reports a pulse or saturation
    /// of 0, which is inside: deciding what that means is left to who watches it.
    public var plausible: ClosedRange<Double> { definition.plausible }
    /// Decimal places that are kept.
    public var decimals: Int { definition.decimals }
    public var kind: Kind { definition.kind }
    public var group: Group { self == .position ? .position : .health }
    /// Whether AutomatedSOS watches it (SOS-02).
    public var isVitalSign: Bool { definition.isVitalSign }

    /// Whether 0 is what a sensor reads that touches nobody, and no value of a person. It holds for readings of devices that do
    /// not tell contact: with contact, 0 is a value (SOS-11).
    public var isZeroWithoutContact: Bool {
        self == .heartRate || self == .oxygenSaturation || self == .respirationRate
    }

    /// What one person's value of a day (a rate's mean, a counter's sum) is clamped to in group statistics (GRP-09).
    /// In weeks and months a counter's value is the mean of its days. `nil`: no group statistics of this type.
    public var groupBounds: GroupBounds? { definition.groupBounds }
    /// The same for buckets of one hour, where counters are smaller.
    public var hourlyGroupBounds: GroupBounds? { definition.hourlyGroupBounds ?? definition.groupBounds }

    /// The value as an integer in units of the last decimal place that is kept, for storage.
    /// Values must be plausible.
    public func scaled(_ value: Double) -> Int64 { Int64((value * Self.powersOfTen[decimals]).rounded()) }

    /// The value that `scaled` made an integer of.
    public func value(scaled: Int64) -> Double { Double(scaled) / Self.powersOfTen[decimals] }

    /// What `scaled` multiplies by.
    public var scale: Double { Self.powersOfTen[decimals] }

    private static let powersOfTen: [Double] = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7]
}

extension DataType: Codable, CustomStringConvertible {
    public var description: String { name }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let type = DataType(name: name) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(TextLimits.quoted(name) ?? "this") is not a data type, as \"heart-rate\" is")
        }
        self = type
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
