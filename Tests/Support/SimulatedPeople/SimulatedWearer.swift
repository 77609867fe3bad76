public import Contracts
public import Domain
public import Primitives
import SeededRandom

/// A person who does not exist, with a watch and a phone that measure. The same seed and number give the same samples,
/// whichever days are asked for and in whatever order.
public struct SimulatedWearer: Sendable {
    /// What the watch reads at every turn.
    public static let vitals: [DataType] = [
        .heartRate, .oxygenSaturation, .respirationRate, .bodyTemperature, .stressLevel,
    ]
    public static let watchTypes = vitals + [.steps, .activeEnergy, .sleep]
    public static let phoneTypes: [DataType] = [.position, .steps, .distance, .activity]

    public let body: SimulatedBody
    public let illnesses: [Illness]
    private let seed: UInt64
    private let number: Int
    private let tellsContact: Bool

    public init(seed: UInt64, number: Int, body: SimulatedBody? = nil, illnesses: [Illness] = []) {
        self.seed = seed
        self.number = number
        self.illnesses = illnesses
        var generator = SeededGenerator(seed: seed, stream: number)
        self.body = body ?? SimulatedBody(using: &generator)
        tellsContact = number.isMultiple(of: 2)
    }

    /// All that was measured on a local day: the samples that begin on it, and the sleep that ends on it.
    public func day(_ day: CalendarDate, _ density: SimulatedDensity = SimulatedDensity()) -> SimulatedDay {
        let plan = self.plan(day)
        let midnight = ItalianTime.midnight(day)
        var result = SimulatedDay()
        result.watch = watch(day, plan, density, midnight)
        result.watch.append(sleep(day, plan, midnight))
        result.phone = phone(day, plan, density, midnight)
        result.watch.removeAll { $0.count == 0 }
        result.phone.removeAll { $0.count == 0 }
        return result
    }

    /// The vital signs alone.
    public func vitals(on day: CalendarDate, _ density: SimulatedDensity = SimulatedDensity()) -> [SampleSeries] {
        vitals(day, plan(day), density, ItalianTime.midnight(day))
    }

    func plan(_ day: CalendarDate) -> DayPlan {
        var generator = self.generator(day, .plan)
        let isIll = illnesses.contains { $0.severity(on: day, minute: 720) > 0.3 }
        return DayPlan(body, day, isIll: isIll, using: &generator)
    }

    /// Each part of a day has numbers of its own, so that one part changes no other.
    enum Part: Int {
        case plan, vitals, steps, phone, worn
    }

    func generator(_ day: CalendarDate, _ part: Part) -> SeededGenerator {
        let days = UInt64(bitPattern: Int64(day.daysSinceEpoch))
        return SeededGenerator(seed: seed &+ days &* 0xd1b5_4a32_d192_ed03, stream: number &* 8 &+ part.rawValue &+ 1)
    }

    private func watch(
        _ day: CalendarDate, _ plan: DayPlan, _ density: SimulatedDensity, _ midnight: Timestamp
    ) -> [SampleSeries] {
        vitals(day, plan, density, midnight) + movement(day, plan, density, midnight)
    }

    func vitals(
        _ day: CalendarDate, _ plan: DayPlan, _ density: SimulatedDensity, _ midnight: Timestamp
    ) -> [SampleSeries] {
        var generator = self.generator(day, .vitals)
        var signs = VitalSigns(body, using: generator)
        var series = Self.vitals.map { self.series($0, midnight) }
        if tellsContact { series[0].contact = [] }
        let step = density.vitalsEvery.milliseconds
        let jitter = density.jitter.milliseconds
        var phase = 0
        for nominal in stride(from: step / 2, to: ItalianTime.milliseconds(of: day) - jitter, by: Int(step)) {
            let minute = Double(nominal) / 60_000
            while plan.phases[phase].end <= minute, phase + 1 < plan.phases.count { phase += 1 }
            let reading = signs.next(
                plan.phases[phase].doing, minute: minute, seconds: Double(step) / 1000, change(day, minute))
            let time = nominal + Int64(generator.index(below: Int(2 * jitter) + 1)) - jitter
            if plan.watchOff.contains(where: { $0.contains(minute) }) { continue }
            let touches = !plan.withoutContact.contains { $0.contains(minute) }
            for (index, value) in reading.values.enumerated() where touches || index == 0 {
                series[index].append(touches ? value : 0, at: time)
            }
            if tellsContact { series[0].contact?.append(touches) }
        }
        return series
    }

    private func change(_ day: CalendarDate, _ minute: Double) -> VitalChange {
        illnesses.reduce(VitalChange()) { $0 + $1.change($1.severity(on: day, minute: minute)) }
    }

    /// The night that ended on this day, as one interval; its value is the part that was slept.
    func sleep(_ day: CalendarDate, _ plan: DayPlan, _ midnight: Timestamp) -> SampleSeries {
        let before = self.plan(day.adding(days: -1))
        let inBed = before.minutes - before.goesToBed + plan.wakes
        var series = self.series(.sleep, midnight)
        series.append(
            VitalSigns.rounded(inBed * 0.92, 1), at: Int64((before.goesToBed - before.minutes) * 60) * 1000,
            lasting: Int64(inBed * 60) * 1000)
        return series
    }

    func series(_ type: DataType, _ midnight: Timestamp) -> SampleSeries {
        SampleSeries(
            type: type, start: midnight, offsets: [],
            zoneOffset: ZoneOffset(minutes: ItalianTime.offsetMinutes(at: midnight + .seconds(43_200))),
            values: type == .position ? nil : [])
    }
}

/// What a person's devices measured on one day.
public struct SimulatedDay: Sendable, Equatable {
    public var watch: [SampleSeries] = []
    public var phone: [SampleSeries] = []

    public init() {}

    init(watch: [SampleSeries], phone: [SampleSeries]) {
        self.watch = watch
        self.phone = phone
    }
}

extension VitalSigns.Reading {
    /// In the order of `SimulatedWearer.vitals`.
    var values: [Double] { [heartRate, saturation, breaths, temperature, stress] }
}

extension SampleSeries {
    mutating func append(_ value: Double, at offset: Int64) {
        offsets.append(offset)
        values?.append(value)
    }

    /// An interval; of a series with intervals only.
    mutating func append(_ value: Double, at offset: Int64, lasting duration: Int64) {
        durations = durations ?? []
        durations?.append(duration)
        append(value, at: offset)
    }
}
