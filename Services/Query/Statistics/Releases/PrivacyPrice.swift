import Domain
import Primitives

/// Prices and noise of a release (zero-concentrated differential privacy; neighbours differ by one subject).
/// Prices are in billionths of ρ.
struct PrivacyPrice: Sendable {
    /// Parts of a cell: count and sum.
    static let parts: Int64 = 2
    private static let scale: Int64 = 1_000_000_000

    /// ρ of a cell that spans a whole month.
    var month: Int64 = 2_500_000

    /// A day costs its share of the month, rounded up, so that a series costs what the month costs.
    func day(_ day: CalendarDate) -> Int64 {
        let days = Int64(Self.days(inMonthOf: day))
        return (month + days - 1) / days
    }

    /// σ² = ⌈k Δ² / 2ρ⌉ of a part with that sensitivity. Errors: no noise matches the price; check before charging.
    static func variance(sensitivity: Int64, price: Int64) throws(PrivacyPriceError) -> UInt64 {
        guard price > 0, sensitivity > 0 else { throw PrivacyPriceError(price: price, sensitivity: sensitivity) }
        // At most 2 · 10⁹ · 2⁶² for sensitivities below 2³¹.
        guard sensitivity <= Int64(Int32.max) else { throw PrivacyPriceError(price: price, sensitivity: sensitivity) }
        let numerator = UInt128(parts) * UInt128(sensitivity) * UInt128(sensitivity) * UInt128(scale)
        let variance = (numerator + 2 * UInt128(price) - 1) / (2 * UInt128(price))
        guard variance <= UInt128(DiscreteGaussian.varianceMax) else {
            throw PrivacyPriceError(price: price, sensitivity: sensitivity)
        }
        return UInt64(variance)
    }

    /// One person changes the sum of contributions by at most this: half the steps between the bounds.
    static func sumSensitivity(_ bounds: GroupBounds) -> Int64 { Int64(bounds.steps / 2) }

    static func firstDay(ofMonthOf day: CalendarDate) -> CalendarDate { day.adding(days: 1 - day.day) }

    private static func days(inMonthOf day: CalendarDate) -> Int {
        let first = firstDay(ofMonthOf: day)
        let next = firstDay(ofMonthOf: first.adding(days: 31))
        return Int(next.daysSinceEpoch - first.daysSinceEpoch)
    }
}

/// No noise matches the price.
struct PrivacyPriceError: Error, Equatable, CustomStringConvertible {
    let price: Int64
    let sensitivity: Int64

    var description: String { "no noise of sensitivity \(sensitivity) for a price of \(price)" }
}

/// What may be spent, in billionths of ρ.
struct PrivacyCaps: Sendable {
    var perPayerAndMonth: Int64 = 125_000_000
    var perMonth: Int64 = 500_000_000
    /// In any twelve months in a row.
    var perYear: Int64 = 1_500_000_000
}
