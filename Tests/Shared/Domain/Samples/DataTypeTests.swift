import Domain
import Testing

@Suite struct DataTypeTests {
    @Test("ING-01: numbers of data types never change, since they are in storage")
    func numbers() {
        let expected = [
            "position", "heart-rate", "blood-pressure-systolic", "blood-pressure-diastolic", "oxygen-saturation",
            "respiration-rate", "body-temperature", "glucose", "stress-level", "steps", "distance", "active-energy",
            "resting-energy", "stand-hours", "sleep", "weight", "height", "nutrition-energy", "activity", "motion",
            "well-being", "shaking-frequency", "shaking-amplitude",
        ]
        #expect(DataType.allCases.map(\.name) == expected)
        #expect(DataType.allCases.map(\.rawValue) == (1...23).map { UInt8($0) })
        for type in DataType.allCases { #expect(DataType(name: type.name) == type) }
        #expect(DataType(name: "heartRate") == nil)
    }

    @Test("ING-01b: LOINC codes have the right check digit (modulus 10)")
    func loinc() {
        for code in DataType.allCases.compactMap(\.loinc) {
            let parts = code.split(separator: "-")
            var sum = 0
            for (index, digit) in parts[0].reversed().enumerated() {
                let value = (digit.wholeNumberValue ?? 0) * (index.isMultiple(of: 2) ? 2 : 1)
                sum += value > 9 ? value - 9 : value
            }
            #expect(String((10 - sum % 10) % 10) == parts[1], "\(code)")
        }
        #expect(DataType.heartRate.loinc == "8867-4")
        #expect(DataType.oxygenSaturation.loinc == "59408-5")
    }

    @Test("GRP-09: bounds of group statistics have an even number of at most 1024 steps, within what is plausible")
    func bounds() throws {
        for type in DataType.allCases where type.kind == .rate || type.kind == .counter {
            for bounds in [try #require(type.groupBounds), try #require(type.hourlyGroupBounds)] {
                #expect(bounds.steps <= 1024 && bounds.steps.isMultiple(of: 2), "\(type)")
                #expect(abs(bounds.lower + Double(bounds.steps) * bounds.step - bounds.upper) < 1e-9, "\(type)")
                #expect(type.plausible.contains(bounds.lower) && type.plausible.contains(bounds.upper), "\(type)")
                let half = Int32(bounds.steps / 2)
                #expect(bounds.contribution(-.infinity) == -half)
                #expect(bounds.contribution(.infinity) == half)
                #expect(bounds.contribution(.nan) == -half)
                for steps in -half...half { #expect(bounds.contribution(bounds.value(Double(steps))) == steps) }
            }
        }
        #expect(DataType.position.groupBounds == nil)
        #expect(DataType.activity.groupBounds == nil)
    }

    @Test("ING-01 ING-14: every type but position is health data")
    func groups() {
        #expect(DataType.allCases.filter { $0.group == .position } == [.position])
        #expect(DataType.allCases.filter(\.isVitalSign).count == 11)
    }

    @Test("ING-01: scaled integers keep the decimals of the type")
    func scaling() {
        #expect(DataType.bodyTemperature.scaled(36.654) == 3665)
        #expect(DataType.bodyTemperature.value(scaled: 3665) == 36.65)
        for type in DataType.allCases {
            for value in [type.plausible.lowerBound, type.plausible.upperBound] {
                #expect(type.value(scaled: type.scaled(value)) == value)
            }
        }
    }

    @Test("ING-01: activities are kept as codes")
    func activities() {
        for kind in Activity.Kind.allCases {
            for place in Activity.Place.allCases {
                let activity = Activity(kind, place)
                #expect(Activity(value: activity.value) == activity)
                #expect(DataType.activity.plausible.contains(activity.value))
            }
        }
        #expect(Activity(value: 1.5) == nil)
        #expect(Activity(value: -1) == nil)
        #expect(Activity(value: 36) == nil)
    }
}
