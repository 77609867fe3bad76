import Domain
import Primitives

/// Position fixes, column by column, in the integers they are stored as.
struct PositionColumn: Equatable, Sendable {
    /// Stands for an altitude or accuracy that is not known.
    static let unknown = Int32.min

    /// Milliseconds since 1970, ascending.
    var times: [Int64] = []
    /// In 1e-7 degrees.
    var latitudes: [Int32] = []
    var longitudes: [Int32] = []
    /// In decimetres, or `unknown`.
    var altitudes: [Int32] = []
    var accuracies: [Int32] = []

    var count: Int { times.count }

    mutating func append(_ fix: PositionFix) {
        times.append(fix.time.milliseconds)
        latitudes.append(Int32((fix.coordinate.latitude * 1e7).rounded()))
        longitudes.append(Int32((fix.coordinate.longitude * 1e7).rounded()))
        altitudes.append(Self.decimetres(fix.altitude))
        accuracies.append(Self.decimetres(fix.accuracy))
    }

    mutating func append(_ index: Int, of other: PositionColumn) {
        times.append(other.times[index])
        latitudes.append(other.latitudes[index])
        longitudes.append(other.longitudes[index])
        altitudes.append(other.altitudes[index])
        accuracies.append(other.accuracies[index])
    }

    func latitude(_ index: Int) -> Double { Double(latitudes[index]) / 1e7 }
    func longitude(_ index: Int) -> Double { Double(longitudes[index]) / 1e7 }
    func altitude(_ index: Int) -> Double? { Self.metres(altitudes[index]) }
    func accuracy(_ index: Int) -> Double? { Self.metres(accuracies[index]) }

    /// Orders by time and drops exact repeats.
    mutating func normalize() {
        let isAscending = !times.indices.dropFirst().contains { times[$0] <= times[$0 - 1] }
        guard !isAscending else { return }
        let order = times.indices.sorted { key($0) < key($1) }
        var result = PositionColumn()
        for index in order where result.count == 0 || result.key(result.count - 1) != key(index) {
            result.append(index, of: self)
        }
        self = result
    }

    private func key(_ index: Int) -> (Int64, Int32, Int32, Int32, Int32) {
        (times[index], latitudes[index], longitudes[index], altitudes[index], accuracies[index])
    }

    private static func decimetres(_ metres: Double?) -> Int32 {
        metres.map { Int32(($0 * 10).rounded()) } ?? unknown
    }

    private static func metres(_ decimetres: Int32) -> Double? {
        decimetres == unknown ? nil : Double(decimetres) / 10
    }
}
