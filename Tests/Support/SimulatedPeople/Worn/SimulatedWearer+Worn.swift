public import Domain
import Glibc
public import Primitives
import SeededRandom

extension SimulatedWearer {
    /// A day of a watch on this wrist, with what its sensors get wrong. The same seed and number give the same day.
    public func worn(on day: CalendarDate, _ model: ArtefactModel = ArtefactModel()) -> WornDay {
        let plan = self.plan(day)
        var wrist = Wrist(body, plan, model, signs: generator(day, .vitals), artefacts: generator(day, .worn))
        var result = WornDay(midnight: ItalianTime.midnight(day), tells: model.tells)
        result.readings = wrist.day()
        return result
    }

    /// `seconds` of an emergency on that day, from `second` after midnight on, with a minute before it, each second a reading.
    public func emergency(
        _ emergency: WornEmergency, on day: CalendarDate, at second: Int, seconds: Int,
        _ model: ArtefactModel = ArtefactModel()
    ) -> WornDay {
        let plan = self.plan(day)
        var wrist = Wrist(body, plan, model, signs: generator(day, .vitals), artefacts: generator(day, .worn))
        var result = WornDay(midnight: ItalianTime.midnight(day), tells: model.tells)
        result.readings = wrist.emergency(emergency, at: second, seconds: seconds, age: body.age)
        return result
    }
}

/// What is wrong with a person.
public enum WornEmergency: Sendable, CaseIterable {
    case slowHeart, fastHeart, standstill, hypoxia, slowBreath, fastBreath, lowPressure, highPressure
    /// A fast heart while the wrist shakes: the readings are doubtful.
    case fastHeartMoving

    /// What shows it.
    public var type: DataType {
        switch self {
        case .slowHeart, .fastHeart, .standstill, .fastHeartMoving: .heartRate
        case .hypoxia: .oxygenSaturation
        case .slowBreath, .fastBreath: .respirationRate
        case .lowPressure, .highPressure: .bloodPressureSystolic
        }
    }
}

/// Reads a body second by second through sensors that fail.
private struct Wrist {
    let body: SimulatedBody
    let plan: DayPlan
    let model: ArtefactModel
    var signs: VitalSigns
    var random: SeededGenerator
    private var phase = 0
    private var pulseError = 0.0
    private var linkDownFor = 0.0
    /// When the thermometer came off, in seconds after midnight; for two hours.
    private var looseThermometer: Double?
    private var thermometer = Thermometer()

    init(
        _ body: SimulatedBody, _ plan: DayPlan, _ model: ArtefactModel, signs: SeededGenerator,
        artefacts: SeededGenerator
    ) {
        self.body = body
        self.plan = plan
        self.model = model
        self.signs = VitalSigns(body, using: signs)
        random = artefacts
        looseThermometer =
            random.fraction() < 1 / model.thermometerDays ? random.value(in: 1...80_000) : nil
    }

    // MARK: A healthy day

    mutating func day() -> [WornReading] {
        var readings: [WornReading] = []
        var (second, isLoose) = (15, false)
        let end = Int(plan.minutes * 60) - 60
        while second < end {
            let minute = Double(second) / 60
            let doing = doing(minute)
            if plan.watchOff.contains(where: { $0.contains(minute) }) {
                // The body goes on.
                thermometer.isWorn = false
                _ = clean(at: second, doing, seconds: 30)
                thermometer.isWorn = true
                second += 30
            } else if model.looseReadings > 0, plan.withoutContact.contains(where: { $0.contains(minute) }) {
                for index in 0..<30 {
                    var reading = loose(at: second, doing)
                    if model.slipsMove, !isLoose, index < 5 {
                        reading.motion = max(reading.motion, random.value(in: 1.2...4))
                    }
                    readings.append(reading)
                    second += 1
                }
                isLoose = true
                continue
            } else if random.fraction() < rate(doing) * 30 / 3600 {
                let length = Int(min(model.burstMax, 1 - model.burstMean * log(1 - random.fraction())))
                burst(of: length, &second, doing, &readings)
            } else {
                let reading = clean(at: second, doing, seconds: 30)
                if isLinkUp(30) { readings.append(reading) }
                second += 30
            }
            isLoose = false
        }
        return readings
    }

    private mutating func doing(_ minute: Double) -> DayPlan.Doing {
        while plan.phases[phase].end <= minute, phase + 1 < plan.phases.count { phase += 1 }
        return plan.phases[phase].doing
    }

    private func rate(_ doing: DayPlan.Doing) -> Double {
        switch doing {
        case .asleep: model.burstsPerHour / 10
        case .resting, .working, .driving: model.burstsPerHour
        case .busy, .walking, .running: model.burstsPerHour * 3
        }
    }

    private mutating func isLinkUp(_ seconds: Double) -> Bool {
        if linkDownFor > 0 {
            linkDownFor -= seconds
            return false
        }
        guard random.fraction() < seconds / model.linkUp else { return true }
        linkDownFor = -model.linkDown * log(1 - random.fraction())
        return false
    }

    private mutating func clean(at second: Int, _ doing: DayPlan.Doing, seconds: Double) -> WornReading {
        let read = signs.next(doing, minute: Double(second) / 60, seconds: seconds, VitalChange())
        var reading = WornReading(offset: Int64(second) * 1000)
        reading.heartRate = read.heartRate
        reading.saturation = read.saturation
        // Healthy is who breathes within NEWS2's extremes at rest.
        let isMoving = doing == .walking || doing == .running
        reading.breaths = isMoving ? read.breaths : min(24, max(9, read.breaths))
        reading.temperature = thermometer.read(
            read.temperature, after: seconds, model, hangsUnderSleeve: isThermometerLoose(at: Double(second)))
        (reading.motion, reading.frequency, reading.amplitude) = movement(doing)
        reading.isAsleep = doing == .asleep
        reading.activity = activity(doing)
        return reading
    }

    private func activity(_ doing: DayPlan.Doing) -> Activity {
        switch doing {
        case .asleep, .resting, .working: Activity(.still, .indoor)
        case .busy: Activity(.other, .indoor)
        case .walking: Activity(.walking, .outdoor)
        case .running: Activity(.running, .outdoor)
        case .driving: Activity(.driving)
        }
    }

    private mutating func movement(_ doing: DayPlan.Doing) -> (Double, Double, Double) {
        switch doing {
        case .asleep: (0.05, 0.3, 0.01)
        case .resting: (0.2, 0.5, 0.02)
        case .working, .driving: (0.5, 0.8, 0.05)
        case .busy: (random.value(in: 0.4...2), random.value(in: 0.5...2.5), random.value(in: 0.03...0.25))
        case .walking: (2.5, 1.8 + 0.05 * random.deviation(), 0.35)
        case .running: (8, cadence(doing) / 60, 1.4)
        }
    }

    /// Steps per minute.
    private mutating func cadence(_ doing: DayPlan.Doing) -> Double {
        (doing == .running ? 162 : 108) + 4 * random.deviation()
    }

    private func isThermometerLoose(at second: Double) -> Bool {
        looseThermometer.map { second > $0 && second < $0 + 7200 } ?? false
    }

    /// Some seconds before it, the burst, and some after it.
    private mutating func burst(
        of length: Int, _ second: inout Int, _ doing: DayPlan.Doing, _ readings: inout [WornReading]
    ) {
        let isMoving = doing == .walking || doing == .running
        let crossed = isMoving && random.fraction() < model.crossover ? cadence(doing) : nil
        let fall = -model.saturationFall * log(1 - random.fraction())
        let (frequency, amplitude) = (random.value(in: 0.5...5), random.value(in: 0.05...0.6))
        for index in 0..<(length + 10) {
            defer { second += 1 }
            var reading = clean(at: second, doing, seconds: 1)
            guard isLinkUp(1) else { continue }
            if (5..<5 + length).contains(index) {
                disturb(&reading, crossed, fall)
                reading.motion = max(reading.motion, random.value(in: 1.2...6))
                if let crossed { reading.frequency = crossed / 60 }
                if !isMoving {
                    reading.frequency = max(0.3, frequency + 0.4 * random.deviation())
                    reading.amplitude = amplitude
                }
            }
            readings.append(reading)
        }
    }

    private mutating func disturb(_ reading: inout WornReading, _ crossed: Double?, _ fall: Double) {
        let kept = exp(-1 / model.pulseMemory)
        pulseError = pulseError * kept + model.pulseError * (1 - kept * kept).squareRoot() * random.deviation()
        let wrong = crossed.map { $0 + 2 * random.deviation() } ?? (reading.heartRate ?? 0) + pulseError
        reading.heartRate = random.index(below: 10) == 0 ? nil : min(220, max(30, wrong.rounded()))
        reading.saturation = reading.saturation.map { max(60, ($0 - fall + random.deviation()).rounded()) }
        reading.breaths = reading.breaths.map { max(4, ($0 + 8 * random.deviation()).rounded()) }
    }

    private mutating func loose(at second: Int, _ doing: DayPlan.Doing) -> WornReading {
        thermometer.isWorn = false
        var reading = clean(at: second, doing, seconds: 1)
        thermometer.isWorn = true
        reading.hasContact = random.fraction() < model.looseReadings
        reading.heartRate = reading.hasContact ? random.value(in: 30...200).rounded() : 0
        reading.saturation = reading.hasContact ? random.value(in: 70...96).rounded() : 0
        reading.breaths = reading.hasContact ? random.value(in: 4...40).rounded() : 0
        return reading
    }

    // MARK: Emergencies

    mutating func emergency(_ kind: WornEmergency, at second: Int, seconds: Int, age: Int) -> [WornReading] {
        // It is the emergency that is to be found.
        looseThermometer = nil
        // Who runs breathes as fast as who is in need: that is found at rest.
        let doing = kind == .fastBreath ? .resting : doing(Double(second) / 60)
        let worse = worse(kind, doing, age)
        return (-60..<seconds).map { index in
            var reading = clean(at: second + index, doing, seconds: 1)
            if kind == .lowPressure || kind == .highPressure {
                reading.systolic = (118 + 3 * random.deviation()).rounded()
            }
            if index >= 0 { worse(&reading, &random) }
            // Whoever collapses lies still; whoever convulses does not.
            let isMoving = kind == .fastHeartMoving && index > -5
            if !isMoving, index >= 0 { (reading.motion, reading.frequency, reading.amplitude) = (0.1, 0.4, 0.02) }
            if isMoving { (reading.motion, reading.frequency, reading.amplitude) = (2, 1, 0.3) }
            return reading
        }
    }

    private func worse(
        _ kind: WornEmergency, _ doing: DayPlan.Doing, _ age: Int
    ) -> (inout WornReading, inout SeededGenerator) -> Void {
        let slow = doing == .asleep ? 24.0 : 33
        // Beyond what exercise explains, and no rhythm of steps.
        let fast = max(208 - 0.7 * Double(age), 190) + 8
        return { reading, random in
            switch kind {
            case .slowHeart: reading.heartRate = (slow + 2 * random.deviation()).rounded()
            case .fastHeart, .fastHeartMoving: reading.heartRate = (fast + 2 * random.deviation()).rounded()
            case .standstill: reading.heartRate = 0
            case .hypoxia: reading.saturation = (80 + 2 * random.deviation()).rounded()
            case .slowBreath: reading.breaths = max(1, (5 + random.deviation() / 2).rounded())
            case .fastBreath: reading.breaths = (38 + random.deviation()).rounded()
            case .lowPressure: reading.systolic = (74 + 2 * random.deviation()).rounded()
            case .highPressure: reading.systolic = (236 + 2 * random.deviation()).rounded()
            }
        }
    }
}

/// Follows what it touches with a delay.
private struct Thermometer {
    var isWorn = true
    /// In °C above the body.
    private var error = 0.0

    mutating func read(
        _ body: Double, after seconds: Double, _ model: ArtefactModel, hangsUnderSleeve: Bool
    ) -> Double {
        guard model.thermometerLag > 0 else { return body }
        let touched = !isWorn ? model.roomTemperature : hangsUnderSleeve ? model.sleeveTemperature : body
        error = touched - body + (error - (touched - body)) * exp(-seconds / model.thermometerLag)
        return VitalSigns.rounded(body + error, 0.01)
    }
}
