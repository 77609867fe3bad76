public import Domain
public import Primitives

/// Samples of one person and one data type in columns, in uploads, between services and to third parties.
///
/// JSON: `{"type": "heart-rate", "unit": "/min", "start": "2026-05-01T07:00:00Z", "offsets_ms": [0, 1000], "values":
/// [61, 62]}`; for positions `latitudes`, `longitudes` and, where known, `altitudes` and `accuracies` (`null` for a fix
/// without) stand in place of `values`. All columns have the same length. Limit: 100,000 samples.
///
/// `contact` may stand beside `values`: whether the sensor touched the person. It distinguishes a heart that stands
/// still (a rate of 0 with contact) from a lost sensor (SOS-11); a reading without contact is no value of the person.
/// Without `contact` a rate or saturation of 0 is a reading without contact (`hasContact`). It is stored and passed on
/// as it came.
///
/// A sample is an instant, or an interval when `durations_ms` stands beside `values`: it then begins at its time and lasts
/// so long (0: an instant). `zone_offset` (`"+02:00"`) is the offset of the device's clock from UTC for all samples of the
/// series; without it the person's own zone holds. Days are the person's local days.
public struct SampleSeries: Codable, Sendable, Equatable {
    public static let samplesMax = 100_000
    public static let unitBytesMax = 64

    public var type: DataType
    /// UCUM or a common spelling; the type's canonical unit when absent.
    public var unit: String?
    /// The time that `offsets_ms` count from.
    public var start: Timestamp
    /// Milliseconds after `start`, in any order.
    public var offsets: [Int64]
    /// How long each sample lasted, in milliseconds; `nil` when all are instants. Never for positions.
    public var durations: [Int64]?
    /// Of the place where the samples were measured; `nil` when the device does not tell.
    public var zoneOffset: ZoneOffset?
    public var values: [Double]?
    /// Whether the sensor touched the person; `nil` when the device does not tell.
    public var contact: [Bool]?
    public var latitudes: [Double]?
    public var longitudes: [Double]?
    public var altitudes: [Double?]?
    public var accuracies: [Double?]?

    public init(
        type: DataType, unit: String? = nil, start: Timestamp, offsets: [Int64], durations: [Int64]? = nil,
        zoneOffset: ZoneOffset? = nil, values: [Double]? = nil, contact: [Bool]? = nil, latitudes: [Double]? = nil,
        longitudes: [Double]? = nil, altitudes: [Double?]? = nil, accuracies: [Double?]? = nil
    ) {
        self.type = type
        self.unit = unit
        self.start = start
        self.offsets = offsets
        self.durations = durations
        self.zoneOffset = zoneOffset
        self.values = values
        self.contact = contact
        self.latitudes = latitudes
        self.longitudes = longitudes
        self.altitudes = altitudes
        self.accuracies = accuracies
    }

    enum CodingKeys: String, CodingKey {
        case type, unit, start, zoneOffset, values, contact, latitudes, longitudes, altitudes, accuracies
        case offsets = "offsets_ms"
        case durations = "durations_ms"
    }

    public var count: Int { offsets.count }

    /// The time of the sample numbered `index`; beyond what can be counted, the end of it.
    public func time(_ index: Int) -> Timestamp { start.adding(milliseconds: offsets[index]) }

    /// Whether the sensor touched the person at the sample numbered `index`: as the device tells, or else by the value.
    public func hasContact(_ index: Int) -> Bool {
        contact?[index] ?? !(type.isZeroWithoutContact && values?[index] == 0)
    }

    /// The series with `contact` added when the device does not tell it and a reading was without: so that nobody takes
    /// that reading for a heart that stands still.
    public var tellingContact: SampleSeries {
        guard contact == nil, !(0..<count).allSatisfy(hasContact) else { return self }
        var series = self
        series.contact = (0..<count).map(hasContact)
        return series
    }

    /// A sentence when the columns do not fit together; `nil` when they do.
    public var shapeError: String? {
        guard unit?.utf8.count ?? 0 <= Self.unitBytesMax else {
            return "unit has at most \(Self.unitBytesMax) bytes"
        }
        guard count <= Self.samplesMax else { return "at most \(Self.samplesMax) samples fit into one series" }
        guard durations.map({ $0.count == count }) ?? true else { return "durations_ms must be as long as offsets_ms" }
        if type == .position {
            guard durations == nil else { return "positions are instants and have no durations_ms" }
            guard values == nil, contact == nil else { return "positions have latitudes and longitudes, no values" }
            guard latitudes?.count == count, longitudes?.count == count else {
                return "latitudes and longitudes must be as long as offsets_ms"
            }
            guard altitudes.map({ $0.count == count }) ?? true, accuracies.map({ $0.count == count }) ?? true else {
                return "altitudes and accuracies must be as long as offsets_ms, with null where unknown"
            }
            return nil
        }
        guard latitudes == nil, longitudes == nil else { return "only positions have latitudes and longitudes" }
        guard contact.map({ $0.count == count }) ?? true else { return "contact must be as long as offsets_ms" }
        return values?.count == count ? nil : "values must be as long as offsets_ms"
    }
}
