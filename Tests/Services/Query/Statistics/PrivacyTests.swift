import Domain
import Primitives
import SeededRandom
import Testing

@testable import Query
@testable import Statistics

@Suite struct PrivacyTests {
    let price = PrivacyPrice()

    @Test(
        "GRP-09: the days of a month cost what the month costs", arguments: ["2026-02-10", "2026-05-01", "2028-02-29"])
    func prices(text: String) throws {
        let day = try #require(CalendarDate(text))
        let first = PrivacyPrice.firstDay(ofMonthOf: day)
        var total: Int64 = 0
        var next = first
        while next.month == first.month {
            total += price.day(next)
            next = next.adding(days: 1)
        }
        #expect(total >= price.month && total < price.month + 31)
    }

    @Test("GRP-09: the noise is what the price pays for")
    func variances() throws {
        let bounds = try #require(DataType.heartRate.groupBounds)
        #expect(PrivacyPrice.sumSensitivity(bounds) == 95)
        #expect(try PrivacyPrice.variance(sensitivity: 1, price: 2_500_000) == 400)
        #expect(try PrivacyPrice.variance(sensitivity: 95, price: 2_500_000) == 400 * 95 * 95)
        #expect(try PrivacyPrice.variance(sensitivity: 512, price: 1) <= DiscreteGaussian.varianceMax)
        // None of these can be drawn: they are found before anything is charged.
        for (sensitivity, price) in [(1, 0), (1, -5), (0, 1), (4096, 1), (Int64.max, 1), (Int64.max, Int64.max)] {
            #expect(throws: PrivacyPriceError(price: price, sensitivity: sensitivity)) {
                try PrivacyPrice.variance(sensitivity: sensitivity, price: price)
            }
        }
    }

    @Test("GRP-02a: exactly 1001 people are enough and 1000 are not")
    func gate() throws {
        let bounds = try #require(DataType.heartRate.groupBounds)
        let noise = try CellNoise(price: 80_646, bounds: bounds)
        var generator = SeededGenerator(seed: 1)
        for (count, isGiven) in [(0, false), (1, false), (1000, false), (1001, true), (100_000, true)] {
            for _ in 0..<20 {
                let released = Released.release(
                    ExactTotal(count: Int64(count), sum: 0), noise: noise, using: &generator)
                #expect((released != nil) == isGiven)
            }
        }
    }
}
