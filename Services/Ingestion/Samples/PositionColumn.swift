import Domain
import Primitives

/// Position fixes, column by column, in the integers they are stored as.
struct PositionColumn: SampleColumn {
    /// Stands for an altitude or accuracy that is not known.
    static let unknown = Int32.min

    /// Milliseconds since 1970, ascending.
    private(set) var times: [Int64] = []
    /// In 1e-7 degrees.
    private(set) var latitudes: [Int32] = []
    private(set) var longitudes: [Int32] = []
    /// In decimetres, or `unknown`.
    private(set) var altitudes: [Int32] = []
    private(set) var accuracies: [Int32] = []
    private(set) var zones = ZoneColumn()

    var emptied: PositionColumn { PositionColumn() }

    init() {}

    /// The columns must be of the same length. Without `zones` they were not told.
    init(
        times: [Int64], latitudes: [Int32], longitudes: [Int32], altitudes: [Int32], accuracies: [Int32],
        zones: ZoneColumn? = nil
    ) {
        self.times = times
        self.latitudes = latitudes
        self.longitudes = longitudes
        self.altitudes = altitudes
        self.accuracies = accuracies
        self.zones = zones ?? ZoneColumn(repeating: ZoneColumn.unknown, count: times.count)
    }

    mutating func append(_ fix: PositionFix) {
        append(
            time: fix.time.milliseconds, latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude,
            altitude: fix.altitude, accuracy: fix.accuracy, zone: fix.zoneOffset.column)
    }

    /// What a `PositionFix` would take; `time` in milliseconds, `zone` in minutes or `ZoneColumn.unknown`.
    mutating func append(
        time: Int64, latitude: Double, longitude: Double, altitude: Double?, accuracy: Double?, zone: Int16
    ) {
        times.append(time)
        latitudes.append(Int32((latitude * 1e7).rounded()))
        longitudes.append(Int32((longitude * 1e7).rounded()))
        altitudes.append(Self.decimetres(altitude))
        accuracies.append(Self.decimetres(accuracy))
        zones.append(zone)
    }

    mutating func append(_ index: Int, of other: PositionColumn) {
        times.append(other.times[index])
        latitudes.append(other.latitudes[index])
        longitudes.append(other.longitudes[index])
        altitudes.append(other.altitudes[index])
        accuracies.append(other.accuracies[index])
        zones.append(other.zones[index])
    }

    mutating func append(_ range: Range<Int>, of other: PositionColumn) { append(range, of: other, zone: nil) }

    /// With another zone (minutes) than they have.
    mutating func append(_ range: Range<Int>, of other: PositionColumn, zone: Int16?) {
        times += other.times[range]
        latitudes += other.latitudes[range]
        longitudes += other.longitudes[range]
        altitudes += other.altitudes[range]
        accuracies += other.accuracies[range]
        if let zone { zones.append(zone, count: range.count) } else { zones.append(range, of: other.zones) }
    }

    func latitude(_ index: Int) -> Double { Double(latitudes[index]) / 1e7 }
    func longitude(_ index: Int) -> Double { Double(longitudes[index]) / 1e7 }
    func altitude(_ index: Int) -> Double? { Self.metres(altitudes[index]) }
    func accuracy(_ index: Int) -> Double? { Self.metres(accuracies[index]) }

    func duration(_ index: Int) -> Int64 { 0 }
    func hasContact(_ index: Int) -> Bool { true }

    func isBefore(_ left: Int, _ right: Int) -> Bool {
        guard times[left] == times[right] else { return times[left] < times[right] }
        return key(left) < key(right)
    }

    private func key(_ index: Int) -> (Int32, Int32, Int32, Int32) {
        (latitudes[index], longitudes[index], altitudes[index], accuracies[index])
    }

    private static func decimetres(_ metres: Double?) -> Int32 {
        metres.map { Int32(($0 * 10).rounded()) } ?? unknown
    }

    private static func metres(_ decimetres: Int32) -> Double? {
        decimetres == unknown ? nil : Double(decimetres) / 10
    }
}
