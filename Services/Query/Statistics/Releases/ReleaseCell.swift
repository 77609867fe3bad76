import Domain
import Primitives

/// One cell of a question: a data type on one day, for the people of a predicate.
struct ReleaseCell: Hashable, Sendable {
    let type: DataType
    let day: CalendarDate
    /// The canonical question, under which the answer is kept for everybody who asks it.
    let question: String
    let price: Int64

    init(type: DataType, day: CalendarDate, predicate: Predicate, price: PrivacyPrice) {
        self.type = type
        self.day = day
        self.price = price.day(day)
        question = "\(predicate.canonical)|\(type.name)|day:\(day)|count,mean"
    }

    var month: CalendarDate { PrivacyPrice.firstDay(ofMonthOf: day) }
}

/// What is kept of a cell.
struct ReleasedCell: Equatable, Sendable {
    enum State: Equatable, Sendable {
        case pending
        /// Not more than 1000 people.
        case withheld
        case given(Released)
    }

    let id: Int64
    let question: String
    var state: State
}

/// What is given: never an exact number.
struct Released: Equatable, Sendable {
    var count: Int64
    var countVariance: Int64
    /// Of contributions, in steps.
    var sum: Int64
    var sumVariance: Int64

    /// The gate and the noise (GRP-02, GRP-09): `nil` unless strictly more than 1000 people are counted.
    static func release(
        _ total: ExactTotal, bounds: GroupBounds, price: Int64, using generator: inout some RandomNumberGenerator
    ) -> Released? {
        let countVariance = PrivacyPrice.variance(sensitivity: 1, price: price)
        let sumVariance = PrivacyPrice.variance(sensitivity: PrivacyPrice.sumSensitivity(bounds), price: price)
        // Drawn in any case, so that the verdict takes the same time.
        let countNoise = DiscreteGaussian(variance: UInt64(countVariance)).sample(using: &generator)
        let sumNoise = DiscreteGaussian(variance: UInt64(sumVariance)).sample(using: &generator)
        guard total.count >= peopleMin else { return nil }
        return Released(
            count: total.count + countNoise, countVariance: countVariance, sum: total.sum + sumNoise,
            sumVariance: sumVariance)
    }

    /// The smallest number of people that anything is told about.
    static let peopleMin: Int64 = 1001
}
