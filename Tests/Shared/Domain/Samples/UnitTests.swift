import Domain
import Testing

@Suite struct UnitTests {
    static let spellings: [(DataType, Double, String, Double)] = [
        (DataType.heartRate, 72.0, "bpm", 72.0), (.heartRate, 72, "count/min", 72), (.heartRate, 72, "1/min", 72),
        (.heartRate, 72, "/min", 72), (.heartRate, 72, "beats/minute", 72), (.heartRate, 1.2, "Hz", 72),
        (.respirationRate, 16, "breaths/min", 16), (.oxygenSaturation, 97, "%", 97),
        (.oxygenSaturation, 0.97, "1", 97), (.oxygenSaturation, 0, "%", 0), (.bodyTemperature, 37, "°C", 37),
        (.bodyTemperature, 37, "degC", 37), (.bodyTemperature, 37, "Cel", 37), (.bodyTemperature, 98.6, "°F", 37),
        (.bodyTemperature, 98.6, "[degF]", 37), (.bodyTemperature, 310.15, "K", 37),
        (.bloodPressureSystolic, 120, "mmHg", 120), (.bloodPressureSystolic, 120, "mm[Hg]", 120),
        (.bloodPressureDiastolic, 10.6658, "kPa", 80), (.glucose, 90, "mg/dL", 90), (.glucose, 5, "mmol/L", 90.078),
        (.glucose, 5, "mmol<180.1558800000541>/L", 90.078), (.distance, 1, "km", 1000),
        (.distance, 1, "mi", 1609.344),
        (.weight, 154.324, "lb", 70), (.weight, 70_000, "g", 70), (.weight, 11, "st", 69.853),
        (.height, 1.8, "m", 180),
        (.height, 71, "in", 180.34), (.activeEnergy, 100, "kcal", 100), (.activeEnergy, 100, "Cal", 100),
        (.activeEnergy, 100_000, "cal", 100), (.activeEnergy, 418.4, "kJ", 100), (.sleep, 7.5, "hr", 450),
        (.sleep, 27_000, "s", 450), (.standHours, 60, "min", 1), (.steps, 1000, "count", 1000),
        (.steps, 1000, "{steps}", 1000), (.motion, 1, "g", 9.80665), (.stressLevel, 40, "1", 40),
        (.activity, 3, "1", 3), (.heartRate, 72, " BPM ", 72), (.shakingFrequency, 4, "Hz", 4),
        (.shakingFrequency, 240, "/min", 4), (.shakingAmplitude, 0.5, "g", 0.5),
        (.shakingAmplitude, 4.903325, "m/s2", 0.5),
    ]

    @Test(
        "ING-01c: common spellings are converted to the canonical unit",
        arguments: spellings)
    func conversions(type: DataType, value: Double, unit: String, expected: Double) throws {
        #expect(abs(try type.canonical(value, unit: unit) - expected) < 1e-3)
    }

    @Test("ING-01ab: without a unit the canonical one is meant, and is accepted for every type by its UCUM code")
    func canonicalUnit() throws {
        for type in DataType.allCases where type.kind != .position {
            #expect(try type.canonical(42, unit: nil) == 42)
            #expect(try type.canonical(42, unit: type.unit.description) == 42)
        }
    }

    @Test("ING-01d: a fraction is not mistaken for a percentage")
    func fraction() {
        #expect(throws: UnitError.fraction(.oxygenSaturation, 0.97)) {
            try DataType.oxygenSaturation.canonical(0.97, unit: "%")
        }
        #expect(throws: UnitError.fraction(.oxygenSaturation, 1)) {
            try DataType.oxygenSaturation.canonical(1, unit: nil)
        }
    }

    @Test("ING-01: a unit of another kind is refused, and the error names the right one")
    func wrongUnit() {
        #expect(throws: UnitError.unknown(.heartRate, "km")) { try DataType.heartRate.canonical(72, unit: "km") }
        #expect(throws: UnitError.unknown(.glucose, "")) { try DataType.glucose.canonical(90, unit: "") }
        #expect(throws: UnitError.unknown(.weight, String(repeating: "k", count: 50))) {
            try DataType.weight.canonical(90, unit: String(repeating: "k", count: 50))
        }
        #expect(UnitError.unknown(.glucose, "mg").description.contains("mg/dL"))
        #expect(throws: UnitError.notANumber(.steps)) { try DataType.steps.canonical(.infinity, unit: nil) }
        #expect(throws: UnitError.notASingleValue(.position)) { try DataType.position.canonical(45, unit: "deg") }
    }
}
