import Domain
import Primitives
import SimulatedPeople
import Testing

@testable import Dispatcher

/// Healthy people with sensors that fail, and people in emergencies: what the rules make of both, in figures. A fixed share runs
/// with the other tests; `deploy/bench sos-detection` runs more. RULES.md has the figures of a long run.
@Suite struct DetectionSimulationTests {
    // MARK: The default rules

    @Test(
        "SOS-04d SOS-05d: healthy people with sensors that fail: at most one false hand-over in ten years by the default rules"
    )
    func healthy() {
        let result = DetectionFigures(rules: .age).healthy(people: 0..<1)
        print("healthy people, rules age: \(result.text)")
        // Within what chance adds to it.
        #expect(result.interval.lowerBound <= 1, "\(result.causes)")
    }

    @Test("SOS-04c SOS-05d: every emergency of half a minute is found by the default rules, in any hour of the day")
    func emergencies() {
        let count = 36
        let result = DetectionFigures(rules: .age).emergencies(WornEmergency.allCases, 0..<count)
        print("emergencies of 30 s, rules age: \(result.text)")
        #expect(result.missed.isEmpty)
    }

    @Test("SOS-05a: without movement an emergency is found after three seconds, whatever the person was doing before")
    func quick() {
        let result = DetectionFigures(rules: .age).emergencies([.standstill, .hypoxia, .slowBreath], 0..<15)
        #expect(result.missed.isEmpty)
        // An optical sensor is believed 3 s after the last movement.
        #expect(result.slowestOfAll <= .seconds(6))
    }

    // MARK: The fixed sets

    @Test(
        "SOS-03: what the fixed sets watch they find as well; how often they are wrong about the healthy is told",
        arguments: [RuleSet.fixed40To130, .fixed45To120])
    func fixed(_ rules: RuleSet) {
        let found = DetectionFigures(rules: rules).emergencies(rules.watchedEmergencies, 0..<8)
        print("emergencies of 30 s, rules \(rules.rawValue): \(found.text)")
        #expect(found.missed.isEmpty)
        let healthy = DetectionFigures(rules: rules).healthy(people: 0..<1, daysEach: 1)
        print("healthy people, rules \(rules.rawValue): \(healthy.text)")
        // They are wrong about sleepers by design, and about nobody else more often than once in ten years.
        let others = PoissonInterval(of: healthy.handOvers - healthy.ofSleepers)
        #expect(healthy.perTenYears(others.low) <= 1, "\(healthy.causes)")
    }

    // MARK: Devices

    @Test("SOS-04d: sensors without faults raise nothing at all")
    func faultless() {
        let result = DetectionFigures(rules: .age).healthy(people: 0..<1, daysEach: 1, .none)
        #expect(result.handOvers == 0 && result.toContacts == 0, "\(result.causes)")
    }

    @Test(
        "SOS-02: the model of artefacts has what it says: bursts, loose sensors, lost links, cold thermometers, and no two days alike"
    )
    func model() {
        let simulated = SimulatedWearer(seed: 11, number: 1)
        let first = DetectionFigures.firstDay
        let (day, next) = (simulated.worn(on: first), simulated.worn(on: first.adding(days: 1)))
        #expect(day.readings == simulated.worn(on: first).readings)
        #expect(day.readings != next.readings)
        let calm = simulated.worn(on: first, .none)
        #expect(day.readings.count > calm.readings.count)
        #expect(day.readings.contains { $0.motion >= Observation.unrestMotion && $0.saturation ?? 100 < 90 })
        #expect(day.readings.contains { $0.temperature ?? 37 < 30 })
        #expect(!calm.readings.contains { !$0.hasContact || $0.temperature ?? 37 < 35 })
    }

    @Test("SOS-02: what a count of rare events says of their mean is as in the tables")
    func poisson() {
        let (none, ten) = (PoissonInterval(of: 0), PoissonInterval(of: 10))
        #expect(none.low == 0 && abs(none.high - 3.689) < 0.001)
        #expect(abs(ten.low - 4.795) < 0.001 && abs(ten.high - 18.391) < 0.001)
    }
}
