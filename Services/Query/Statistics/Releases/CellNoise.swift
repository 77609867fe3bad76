import Domain

/// The noise of a cell's count and sum, which follows from its price.
struct CellNoise: Hashable, Sendable {
    let countVariance: UInt64
    let sumVariance: UInt64

    init(price: Int64, bounds: GroupBounds) throws(PrivacyPriceError) {
        countVariance = try PrivacyPrice.variance(sensitivity: 1, price: price)
        sumVariance = try PrivacyPrice.variance(sensitivity: PrivacyPrice.sumSensitivity(bounds), price: price)
    }
}
