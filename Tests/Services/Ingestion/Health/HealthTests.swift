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
    /// Of a day on which a device was worn from morning to evening.
    static func rate(_ mean: Double, resting: Double? = nil, high: Double? = nil) -> DayValue {
        DayValue(count: 1440, hours: 16, mean: mean, resting: resting ?? mean, high: high ?? mean)
    }
    static func counter(_ sum: Double) -> DayValue { DayValue(count: 24, hours: 12, sum: sum) }
    /// One reading, by hand or of a short recording.
    static func once(_ value: Double) -> DayValue { DayValue(count: 1, hours: 0, mean: value, high: value, sum: value) }
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
        #expect(HealthScore(healthHistory([.steps: days(1, 4, .counter(9000))])).parts.count == 1)
        // Nor does a day of which one walk was recorded.
        #expect(HealthScore(healthHistory([.steps: days(1, 7, .once(9000))])).parts.isEmpty)
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
        let values: [DataType: [(back: Int, value: DayValue)]] = [.heartRate: days(1, 3, .rate(120, resting: 106))]
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

    @Test(
        "ING-13: days with one reading or few hours are no finding where the source means more, nor are two days of anything",
        arguments: [
            (.heartRate, .rate(120, resting: 106)), (.oxygenSaturation, .rate(90)), (.respirationRate, .rate(25)),
            (.bloodPressureSystolic, .rate(160)), (.glucose, .rate(150)), (.bodyTemperature, .rate(38.5)),
            (.sleep, .counter(300)),
        ] as [(DataType, DayValue)])
    func tooLittle(type: DataType, value: DayValue) throws {
        func found(_ days: [(back: Int, value: DayValue)]) -> [DataType] {
            OutOfRange.findings(healthHistory([type: days])).map(\.type)
        }
        func lacking(_ days: [(back: Int, value: DayValue)]) -> [TooLittleData] {
            TooLittleData.all(healthHistory([type: days]))
        }
        #expect(found(days(1, 3, value)) == [type] && lacking(days(1, 3, value)).isEmpty)
        #expect(found(days(1, 2, value)).isEmpty)
        #expect(lacking(days(1, 2, value)).map(\.days) == [2])
        // Nothing is lacking of what is not measured at all.
        #expect(lacking(days(8, 20, value)).isEmpty)
        let once = DayValue.once(type.kind == .counter ? value.sum : value.high)
        let isOnPurpose = type == .bodyTemperature || type == .sleep
        #expect(found(days(1, 3, once)) == (isOnPurpose ? [type] : []))
        #expect(lacking(days(1, 3, once)).isEmpty == isOnPurpose)
    }

    @Test("ING-13: a run a day tells no resting pulse: nothing is said of it, and no physician is advised")
    func runsOnly() throws {
        var run = DayValue.rate(165)
        (run.count, run.hours, run.resting) = (3600, 2, nil)
        let history = healthHistory([.heartRate: days(1, 31, run)])
        #expect(OutOfRange.findings(history).isEmpty && HealthAdvice.all(history).isEmpty)
        let lack = try #require(TooLittleData.all(history).first)
        #expect(lack.type == .heartRate && lack.days == 0)
        let english = HealthTexts(language: .english).tooLittle(lack)
        #expect(
            english
                == "Resting pulse: too little data. It needs values in at least 8 hours of the day, on at least 3 of the last 7 days; so far 0 days."
        )
        #expect(HealthTexts(language: .italian).tooLittle(lack).contains("Servono valori in almeno 8 ore del giorno"))
    }

    @Test("ING-13: twelve home readings of pressure on three days are enough, eleven are not")
    func homeReadings() {
        func codes(_ counts: [Int]) -> [String] {
            let days = counts.enumerated().map {
                (back: $0.offset + 1, value: DayValue(count: $0.element, hours: 0, mean: 150))
            }
            let history = healthHistory([.bloodPressureSystolic: days, .bloodPressureDiastolic: days])
            return HealthAdvice.all(history).map(\.code)
        }
        #expect(codes([4, 4, 4]) == ["blood-pressure-high"] && codes([4, 4, 3]).isEmpty && codes([6, 6]).isEmpty)
    }

    @Test("ING-09b ING-09d: glucose is compared with people without diabetes, and advice follows what two days confirm")
    func glucose() {
        let high = healthHistory([.glucose: days(1, 4, .rate(150, high: 190))])
        #expect(OutOfRange.findings(high).map(\.source) == [.glucose] && HealthAdvice.all(high).isEmpty)
        #expect(OutOfRange.findings(healthHistory([.glucose: days(1, 4, .rate(139))])).isEmpty)
        func advice(_ days: [(back: Int, value: DayValue)]) -> [HealthAdvice] {
            HealthAdvice.all(healthHistory([.glucose: days]))
        }
        #expect(advice(days(1, 2, .once(200))) == [.glucoseHigh(days: 2)])
        #expect(advice(days(1, 2, .once(200))).map(\.source) == [.glucoseDiagnosis])
        #expect(advice(days(1, 1, .once(280))).isEmpty && advice(days(1, 7, .once(199))).isEmpty)
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
        let usual = (4...31).map { ($0, DayValue.rate(70, resting: 58 + Double($0 % 3))) }
        func advice(_ last: [Double]) -> [HealthAdvice] {
            HealthAdvice.all(
                healthHistory([
                    .heartRate: usual + last.enumerated().map { ($0.offset + 1, .rate(75, resting: $0.element)) }
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
        let before = days(150, 151, .once(80))
        #expect(codes([.weight: before + days(1, 2, .once(75))]) == ["weight-lost"])
        #expect(codes([.weight: before + days(1, 2, .once(77))]).isEmpty)
        #expect(codes([.weight: before + days(1, 1, .once(70))]).isEmpty)
        #expect(codes([.oxygenSaturation: days(1, 3, .once(93))]).isEmpty)
        #expect(codes([.heartRate: days(1, 6, .rate(120, resting: 103))]) == ["resting-pulse-high"])
    }

    @Test("ING-09: every sentence exists in both languages, and every limit names its source")
    func texts() {
        let advice: [HealthAdvice] = [
            .bloodPressureHigh(systolic: 140, diastolic: 90), .oxygenLow(days: 3), .fever(days: 3),
            .restingPulseRisen(now: 70, before: 60), .restingPulseHigh(mean: 104), .weightLost(percent: 6.25),
            .glucoseHigh(days: 2),
        ]
        let (italian, english) = (HealthTexts(language: .italian), HealthTexts(language: .english))
        for one in advice { #expect(italian.advice(one) != english.advice(one) && !one.source.citation.isEmpty) }
        for part in HealthScore.Component.allCases { #expect(italian.lack(part) != english.lack(part)) }
        for tip in HealthTip.allCases { #expect(italian.tip(tip) != english.tip(tip)) }
        #expect(italian.advice(.weightLost(percent: 6.25)).contains("6,3%"))
        #expect(english.advice(.weightLost(percent: 6.25)).contains("6.3%"))
        #expect(Set(MedicalSource.allCases.map(\.citation)).count == MedicalSource.allCases.count)
    }
}
