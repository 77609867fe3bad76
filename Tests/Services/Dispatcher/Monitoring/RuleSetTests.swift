import Domain
import Testing

@testable import Dispatcher

@Suite struct RuleSetTests {
    private func isCritical(
        _ type: DataType, _ value: Double, years: Int, _ rules: RuleSet = .age, exercising: Bool = false
    ) -> Bool {
        rules.limits(for: type, ageMonths: years * 12, isExercising: exercising)?.isCritical(value) ?? false
    }

    @Test(
        "SOS-03a: an adult's thresholds by age are NEWS2's extremes",
        arguments: [
            (DataType.heartRate, 40.0, 41.0, 130.0, 131.0), (.respirationRate, 8, 9, 24, 25),
            (.bloodPressureSystolic, 90, 91, 219, 220),
        ])
    func adults(_ type: DataType, _ low: Double, _ lowest: Double, _ highest: Double, _ high: Double) {
        #expect(isCritical(type, low, years: 70))
        #expect(!isCritical(type, lowest, years: 70))
        #expect(!isCritical(type, highest, years: 70))
        #expect(isCritical(type, high, years: 70))
    }

    @Test("SOS-03: saturation up to 91% and temperature up to 35.0 °C are critical, fever is not")
    func oneSided() {
        #expect(isCritical(.oxygenSaturation, 91, years: 70) && !isCritical(.oxygenSaturation, 92, years: 70))
        #expect(isCritical(.bodyTemperature, 35, years: 70) && !isCritical(.bodyTemperature, 35.1, years: 70))
        #expect(!isCritical(.bodyTemperature, 40.5, years: 70))
    }

    @Test("SOS-03a: children have their own bands")
    func children() {
        #expect(!isCritical(.heartRate, 160, years: 2) && isCritical(.heartRate, 170, years: 2))
        #expect(isCritical(.heartRate, 60, years: 2) && !isCritical(.heartRate, 60, years: 13))
        #expect(!isCritical(.heartRate, 135, years: 13) && isCritical(.heartRate, 135, years: 16))
        #expect(!isCritical(.heartRate, 150, years: 8) && isCritical(.heartRate, 151, years: 8))
    }

    @Test("SOS-03a: the fixed sets are as their names say; their limits are normal")
    func fixed() {
        for (value, expected) in [(39.0, true), (40, false), (130, false), (131, true)] {
            #expect(isCritical(.heartRate, value, years: 30, .fixed40To130) == expected)
        }
        for (value, expected) in [(44.0, true), (45, false), (120, false), (121, true)] {
            #expect(isCritical(.heartRate, value, years: 30, .fixed45To120) == expected)
        }
        #expect(!isCritical(.respirationRate, 5, years: 30, .fixed40To130))
        #expect(RuleSet.allCases.map(\.rawValue) == ["age", "fixed-40-130", "fixed-45-120"])
    }

    @Test(
        "SOS-03: exercise moves the upper heart-rate limit to 208 − 0.7 × age; breath has none then",
        arguments: RuleSet.allCases)
    func exercise(_ rules: RuleSet) {
        #expect(!isCritical(.heartRate, 159, years: 70, rules, exercising: true))
        #expect(isCritical(.heartRate, 159.1, years: 70, rules, exercising: true))
        #expect(isCritical(.heartRate, 39, years: 70, rules, exercising: true))
        #expect(!isCritical(.respirationRate, 60, years: 70, rules, exercising: true))
        #expect(isCritical(.respirationRate, 8, years: 70, exercising: true))
        #expect(isCritical(.oxygenSaturation, 91, years: 70, exercising: true))
    }

    @Test("SOS-03: an incident names the threshold that was passed")
    func exceeded() {
        let limits = RuleSet.age.limits(for: .heartRate, ageMonths: 70 * 12, isExercising: false)
        #expect(limits?.exceeded(by: 38) == "<= 40.0")
        #expect(limits?.exceeded(by: 140) == ">= 131.0")
        #expect(limits?.exceeded(by: 70) == nil)
    }
}
