import Domain
import Primitives
import Testing

@testable import Ingestion

/// Days of one person, as the health view gets them.
func healthHistory(
    age: Int? = 40, height: Double? = nil, _ values: [DataType: [(back: Int, value: DayValue)]] = [:]
) -> HealthHistory {
    let today = CalendarDate("2026-11-22")!
    var history = HealthHistory(
        today: today, birthDate: age.map { CalendarDate(year: 2026 - $0, month: 1, day: 1)! }, height: height)
    for (type, days) in values {
        for (back, value) in days { history.values[type, default: [:]][today.adding(days: -back)] = value }
    }
    return history
}

extension DayValue {
    static func rate(_ mean: Double, low: Double? = nil, high: Double? = nil) -> DayValue {
        DayValue(count: 1440, mean: mean, low: low ?? mean, high: high ?? mean)
    }
    static func counter(_ sum: Double) -> DayValue { DayValue(count: 24, sum: sum) }
}

/// The same value on days from `first` to `last` days ago.
private func days(_ first: Int, _ last: Int, _ value: DayValue) -> [(back: Int, value: DayValue)] {
    (first...last).map { ($0, value) }
}

@Suite("Health score")
struct HealthScoreTests {
    @Test(
        "ING-09a: components are scored by the tables of Life's Essential 8",
        arguments: [
            (4.9, 20), (5, 40), (6.5, 70), (7, 100), (8.9, 100), (9.5, 90), (10, 40), (3.5, 0),
        ])
    func sleep(hours: Double, points: Int) {
        let score = HealthScore(
            healthHistory([.sleep: days(1, 14, .counter(hours * 60)), .steps: days(1, 7, .counter(9000))]))
        #expect(score.parts.first { $0.component == .sleep }?.points == points)
        #expect(score.points == Int((Double(points + 100) / 2).rounded()))
        #expect(score.unknown == [.bodyMass, .bloodPressure])
    }

    @Test(
        "ING-09a: blood pressure counts by the worse of its two values",
        arguments: [
            (118.0, 76.0, 100), (121, 79, 75), (118, 82, 50), (131, 70, 50), (150, 70, 25), (120, 100, 0), (165, 80, 0),
        ])
    func pressure(systolic: Double, diastolic: Double, points: Int) {
        let score = HealthScore(
            healthHistory([
                .bloodPressureSystolic: days(2, 5, .rate(systolic)),
                .bloodPressureDiastolic: days(2, 5, .rate(diastolic)),
            ]))
        #expect(score.parts.map(\.points) == [points])
        #expect(score.points == nil && score.missing == .tooLittleData)
    }

    @Test("ING-09a: body mass comes from the last weight of half a year and the height")
    func bodyMass() throws {
        let history = healthHistory(height: 180, [.weight: [(100, .rate(100)), (10, .rate(80)), (190, .rate(50))]])
        let part = try #require(HealthScore(history).parts.first)
        #expect(part.component == .bodyMass && part.points == 100 && abs(part.value - 24.69) < 0.01)
        #expect(HealthScore(healthHistory([.weight: [(10, .rate(80))]])).parts.isEmpty)
    }

    @Test("ING-09a: minutes of activity count before steps, and steps by age")
    func activity() throws {
        var history = healthHistory(age: 65, [.steps: days(1, 7, .counter(3000))])
        var part = try #require(HealthScore(history).parts.first)
        #expect(part.isBySteps && part.points == 50 && part.source == .steps)
        for back in 1...4 { history.moderateMinutes[history.today.adding(days: -back)] = 18 }
        part = try #require(HealthScore(history).parts.first)
        #expect(!part.isBySteps && part.value == 126 && part.points == 90)
    }

    @Test("ING-13: too little data, no date of birth and children are said, not guessed")
    func missing() {
        #expect(HealthScore(healthHistory()).missing == .tooLittleData)
        #expect(HealthScore(healthHistory(age: nil)).missing == .birthDate)
        let child = healthHistory(age: 19, [.sleep: days(1, 14, .counter(480)), .steps: days(1, 7, .counter(9000))])
        #expect(HealthScore(child).missing == .adultsOnly)
        // Three days of steps are too few, and today does not count.
        #expect(HealthScore(healthHistory([.steps: days(0, 3, .counter(9000))])).parts.isEmpty)
    }

    @Test("ING-09c: tips follow from the parts that miss points, the worst first")
    func tips() {
        let score = HealthScore(healthHistory([.sleep: days(1, 14, .counter(330)), .steps: days(1, 7, .counter(800))]))
        #expect(HealthTip.all(score) == [.moveMore, .sleepLonger])
        #expect(HealthTip.all(HealthScore(healthHistory())) == [.measureMore])
    }
}

@Suite("Ranges and trends")
struct HealthTrendTests {
    @Test("ING-09b: values outside of what is usual at the age are found, and the same value at another age is not")
    func outOfRange() throws {
        let values: [DataType: [(back: Int, value: DayValue)]] = [.heartRate: days(1, 3, .rate(120, low: 106))]
        let found = OutOfRange.findings(healthHistory(age: 40, values))
        #expect(found.map(\.type) == [.heartRate])
        #expect(found.first?.isHigh == true && found.first?.days == 3 && found.first?.range.source == .restingPulse)
        #expect(OutOfRange.findings(healthHistory(age: 10, values)).isEmpty)
        #expect(OutOfRange.findings(healthHistory(age: nil, values)).isEmpty)
    }

    @Test("ING-09b ING-09d: what is said of pressure and temperature agrees with the source that is named")
    func sources() {
        let pressure: [DataType: [(back: Int, value: DayValue)]] = [
            .bloodPressureSystolic: days(1, 5, .rate(137)), .bloodPressureDiastolic: days(1, 5, .rate(59)),
        ]
        let found = OutOfRange.findings(healthHistory(pressure))
        #expect(found.map(\.type) == [.bloodPressureSystolic, .bloodPressureDiastolic])
        #expect(found.map(\.source) == [.homeBloodPressure, .lowBloodPressure])
        #expect(HealthAdvice.all(healthHistory(pressure)).map(\.source) == [.homeBloodPressure])
        func temperature(_ value: Double) -> [OutOfRange] {
            OutOfRange.findings(healthHistory([.bodyTemperature: days(1, 5, .rate(value))]))
        }
        #expect(temperature(36.4).isEmpty && temperature(35.5).first?.source == .earlyWarning)
    }

    @Test("ING-13: two days are no finding")
    func twoDays() {
        #expect(OutOfRange.findings(healthHistory([.oxygenSaturation: days(1, 2, .rate(90))])).isEmpty)
    }

    @Test(
        "ING-09b: sleep is compared with what the age needs",
        arguments: [(16, 460.0, false), (40, 460, true), (70, 500, false), (70, 460, true)])
    func sleep(age: Int, minutes: Double, isUsual: Bool) {
        let found = OutOfRange.findings(healthHistory(age: age, [.sleep: days(1, 7, .counter(minutes))]))
        #expect(found.isEmpty == isUsual)
    }

    @Test("ING-09d: a resting pulse that rises for three days calls for a physician, one day does not")
    func pulse() {
        let usual = (4...31).map { ($0, DayValue.rate(70, low: 58 + Double($0 % 3))) }
        func advice(_ last: [Double]) -> [HealthAdvice] {
            HealthAdvice.all(
                healthHistory([
                    .heartRate: usual + last.enumerated().map { ($0.offset + 1, .rate(75, low: $0.element)) }
                ]))
        }
        #expect(advice([66, 67, 66]).map(\.code) == ["resting-pulse-risen"])
        #expect(advice([66, 60, 66]).isEmpty)
        #expect(advice([75]).isEmpty)
    }

    @Test("ING-09d: fever of three days, low saturation, high pressure, lost weight and glucose call for a physician")
    func others() {
        func codes(_ values: [DataType: [(back: Int, value: DayValue)]]) -> [String] {
            HealthAdvice.all(healthHistory(values)).map(\.code)
        }
        #expect(codes([.bodyTemperature: days(1, 3, .rate(37.5, high: 38.6))]) == ["fever"])
        #expect(codes([.bodyTemperature: days(2, 5, .rate(37.5, high: 38.6))]).isEmpty)
        #expect(codes([.oxygenSaturation: days(1, 3, .rate(93))]) == ["oxygen-low"])
        let pressure: [DataType: [(back: Int, value: DayValue)]] = [
            .bloodPressureSystolic: days(1, 3, .rate(128)), .bloodPressureDiastolic: days(1, 3, .rate(86)),
        ]
        #expect(codes(pressure) == ["blood-pressure-high"])
        #expect(codes([.weight: [(1, .rate(75)), (150, .rate(80))]]) == ["weight-lost"])
        #expect(codes([.weight: [(1, .rate(77)), (150, .rate(80))]]).isEmpty)
        #expect(codes([.glucose: days(1, 4, .rate(190))]) == ["glucose-high"])
        #expect(codes([.heartRate: days(1, 6, .rate(120, low: 103))]) == ["resting-pulse-high"])
    }

    @Test("ING-09: every sentence exists in both languages, and every limit names its source")
    func texts() {
        let advice: [HealthAdvice] = [
            .bloodPressureHigh(systolic: 140, diastolic: 90), .oxygenLow(days: 3), .fever(days: 3),
            .restingPulseRisen(now: 70, before: 60), .restingPulseHigh(mean: 104), .weightLost(percent: 6.25),
            .glucoseHigh(mean: 190),
        ]
        let (italian, english) = (HealthTexts(language: .italian), HealthTexts(language: .english))
        for one in advice { #expect(italian.advice(one) != english.advice(one) && !one.source.citation.isEmpty) }
        for tip in HealthTip.allCases { #expect(italian.tip(tip) != english.tip(tip)) }
        #expect(italian.advice(.weightLost(percent: 6.25)).contains("6,3%"))
        #expect(english.advice(.weightLost(percent: 6.25)).contains("6.3%"))
        #expect(Set(MedicalSource.allCases.map(\.citation)).count == MedicalSource.allCases.count)
    }
}
