import Contracts
import Domain
import Primitives

extension SampleBatch {
    /// The samples as series for other services, of `types` (a mask) and from `from` to before `to` (milliseconds), in
    /// canonical units, at most `samplesMax` samples each.
    func series(
        types: Int64 = .max, from: Int64 = .min, to: Int64 = .max, samplesMax: Int = SampleSeries.samplesMax
    ) -> [SampleSeries] {
        var result: [SampleSeries] = []
        for column in values where types & column.type.bit != 0 {
            for part in Self.parts(column.times, column.zones, from, to, samplesMax) {
                result.append(column.series(part))
            }
        }
        if types & DataType.position.bit != 0 {
            for part in Self.parts(positions.times, positions.zones, from, to, samplesMax) {
                result.append(positions.series(part))
            }
        }
        return result
    }

    /// The part of ascending times from `from` to before `to`, in pieces of one zone.
    private static func parts(
        _ times: [Int64], _ zones: ZoneColumn, _ from: Int64, _ to: Int64, _ samplesMax: Int
    ) -> [Range<Int>] {
        zones.parts(of: times.range(from: from, to: to)).flatMap { _, range in
            stride(from: range.lowerBound, to: range.upperBound, by: samplesMax).map {
                $0..<min($0 + samplesMax, range.upperBound)
            }
        }
    }
}

extension ValueColumn {
    /// Samples of one zone, at least one.
    func series(_ range: Range<Int>) -> SampleSeries {
        let start = times[range.lowerBound]
        let durations = durations?[range]
        return SampleSeries(
            type: type, unit: type.unit.description, start: Timestamp(milliseconds: start),
            offsets: times[range].map { $0 - start },
            durations: durations?.contains { $0 != 0 } == true ? durations.map(Array.init) : nil,
            zoneOffset: ZoneOffset?(column: zones[range.lowerBound]),
            values: values[range].map { type.value(scaled: $0) }, contact: contacts.map { Array($0[range]) })
    }
}

extension PositionColumn {
    /// Fixes of one zone, at least one.
    func series(_ range: Range<Int>) -> SampleSeries {
        let start = times[range.lowerBound]
        let hasAltitudes = altitudes[range].contains { $0 != Self.unknown }
        let hasAccuracies = accuracies[range].contains { $0 != Self.unknown }
        return SampleSeries(
            type: .position, unit: DataType.position.unit.description, start: Timestamp(milliseconds: start),
            offsets: times[range].map { $0 - start }, zoneOffset: ZoneOffset?(column: zones[range.lowerBound]),
            latitudes: range.map(latitude), longitudes: range.map(longitude),
            altitudes: hasAltitudes ? range.map(altitude) : nil,
            accuracies: hasAccuracies ? range.map(accuracy) : nil)
    }
}

extension Timestamp {
    /// The first whole millisecond that is not before this.
    var millisecondsUp: Int64 { (self + .microseconds(999)).milliseconds }
}
