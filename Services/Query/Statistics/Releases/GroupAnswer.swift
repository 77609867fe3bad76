import Domain
import Glibc
import Primitives

/// The answer to a group request: values with noise, its size, their bounds, and the asker's balance.
struct GroupAnswer: Sendable {
    struct Bucket: Encodable, Sendable {
        let dataType: DataType
        let start: CalendarDate
        /// Whether there are not enough people in this bucket.
        let isSuppressed: Bool
        var values: Values?

        enum CodingKeys: String, CodingKey {
            case start, dataType
            case isSuppressed = "suppressed"
        }

        init(_ cell: ReleaseCell, _ state: ReleasedCell.State) {
            dataType = cell.type
            start = cell.day
            if case .given(let released) = state {
                isSuppressed = false
                values = Values(released, bounds: cell.bounds, unit: cell.type.unit.description)
            } else {
                isSuppressed = true
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(dataType, forKey: .dataType)
            try container.encode(start, forKey: .start)
            try container.encode(isSuppressed, forKey: .isSuppressed)
            try values?.encode(to: encoder)
        }
    }

    struct Values: Encodable, Sendable {
        /// People, with noise.
        let count: Int64
        /// Standard deviation of the noise.
        let countNoise: Double
        let countInterval: [Double]
        /// In `unit`, within the bounds.
        let mean: Double
        let meanNoise: Double
        let meanInterval: [Double]
        let lowerBound: Double
        let upperBound: Double
        let unit: String

        enum CodingKeys: String, CodingKey {
            case count, mean, unit, countNoise, meanNoise, lowerBound, upperBound
            case countInterval = "count_interval_95"
            case meanInterval = "mean_interval_95"
        }

        /// Computed from released numbers alone, which costs no privacy.
        init(_ released: Released, bounds: GroupBounds, unit: String) {
            func clamped(_ value: Double) -> Double { min(max(value, bounds.lower), bounds.upper) }
            func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
            let width = 1.959964
            // More than 1000 are known to be in the bucket.
            let people = Double(max(released.count, Released.peopleMin))
            let steps = Double(released.sum) / people
            // The standard deviation of a quotient, to first order.
            let noise =
                (Double(released.sumVariance) + steps * steps * Double(released.countVariance)).squareRoot() / people
                * bounds.step
            let value = bounds.value(steps)
            count = released.count
            countNoise = rounded(Double(released.countVariance).squareRoot())
            countInterval = [
                (Double(count) - width * countNoise).rounded(.down), (Double(count) + width * countNoise).rounded(.up),
            ]
            mean = rounded(clamped(value))
            meanNoise = rounded(noise)
            meanInterval = [rounded(clamped(value - width * noise)), rounded(clamped(value + width * noise))]
            lowerBound = bounds.lower
            upperBound = bounds.upper
            self.unit = unit
        }
    }

    /// What the asker may still spend on a month of data.
    struct Balance: Encodable, Sendable {
        /// Its first day.
        let month: CalendarDate
        /// Of ρ.
        let left: Double
    }

    /// Of the question, the same however it is written.
    let key: [UInt8]
    let buckets: [Bucket]
    let balance: [Balance]

    /// Whether every bucket is suppressed.
    var isEmpty: Bool { buckets.allSatisfy(\.isSuppressed) }
}
