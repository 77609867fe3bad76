import Contracts
import Domain
import Primitives
import SeededRandom

/// Steps, ways and what comes of them. Watch and phone count the same steps, each in its own way.
extension SimulatedWearer {
    private static let minute: Int64 = 60_000
    /// The phone tells its steps for so many minutes at a time.
    private static let phoneMinutes = 10

    /// Steps and active energy of the watch, by minutes, or some together, in which the person moved.
    func movement(
        _ day: CalendarDate, _ plan: DayPlan, _ density: SimulatedDensity, _ midnight: Timestamp
    ) -> [SampleSeries] {
        var steps = self.series(.steps, midnight)
        var energy = series(.activeEnergy, midnight)
        var counts = stepsByMinute(day, plan)
        for off in plan.watchOff {
            let first = max(0, Int(off.lowerBound.rounded(.up)))
            for minute in first..<max(first, min(counts.count, Int(off.upperBound.rounded(.up)))) { counts[minute] = 0 }
        }
        let together = max(1, Int(density.stepsEvery.milliseconds / Self.minute))
        for first in stride(from: 0, to: counts.count, by: together) {
            let part = counts[first..<min(counts.count, first + together)]
            let count = part.reduce(0, +)
            guard count > 0 else { continue }
            let (time, length) = (Int64(first) * Self.minute, Int64(part.count) * Self.minute)
            steps.append(count, at: time, lasting: length)
            // About half a kilocalorie per kilogram and kilometre.
            let burnt = count * body.stride * body.weight * 0.0005
            energy.append(VitalSigns.rounded(burnt, 0.001), at: time, lasting: length)
        }
        return [steps, energy]
    }

    /// What the person really walked.
    private func stepsByMinute(_ day: CalendarDate, _ plan: DayPlan) -> [Double] {
        var generator = self.generator(day, .steps)
        var counts = [Double](repeating: 0, count: Int(plan.minutes))
        for phase in plan.phases {
            let first = Int(phase.begin.rounded(.up))
            for minute in first..<max(first, min(counts.count, Int(phase.end))) {
                switch phase.doing {
                case .walking: counts[minute] = (108 + 6 * generator.deviation()).rounded()
                case .running: counts[minute] = (160 + 5 * generator.deviation()).rounded()
                case .busy where generator.index(below: 100) < 35:
                    counts[minute] = generator.value(in: 5...40).rounded()
                case .busy, .asleep, .resting, .working, .driving: break
                }
            }
        }
        return counts
    }

    /// The phone: positions, the steps it was carried for, the distance, and what the person did.
    func phone(
        _ day: CalendarDate, _ plan: DayPlan, _ density: SimulatedDensity, _ midnight: Timestamp
    ) -> [SampleSeries] {
        var generator = self.generator(day, .phone)
        var steps = self.series(.steps, midnight)
        var distance = series(.distance, midnight)
        let counts = stepsByMinute(day, plan)
        for first in stride(from: 0, to: counts.count, by: Self.phoneMinutes) {
            let part = counts[first..<min(counts.count, first + Self.phoneMinutes)]
            let walked = part.reduce(0, +) * body.phoneShare * (1 + 0.01 * generator.deviation())
            guard walked >= 1 else { continue }
            let (time, length) = (Int64(first) * Self.minute, Int64(part.count) * Self.minute)
            steps.append(walked.rounded(), at: time, lasting: length)
            distance.append(VitalSigns.rounded(walked * body.stride, 0.1), at: time, lasting: length)
        }
        return [
            positions(plan, density, midnight, using: &generator), steps, distance, activities(plan, midnight),
        ]
    }

    private func activities(_ plan: DayPlan, _ midnight: Timestamp) -> SampleSeries {
        var series = self.series(.activity, midnight)
        for phase in plan.phases {
            let begin = Int64(phase.begin * 60) * 1000
            series.append(phase.doing.activity.value, at: begin, lasting: Int64(phase.end * 60) * 1000 - begin)
        }
        return series
    }

    func positions(
        _ plan: DayPlan, _ density: SimulatedDensity, _ midnight: Timestamp, using generator: inout SeededGenerator
    ) -> SampleSeries {
        var series = self.series(.position, midnight)
        (series.latitudes, series.longitudes, series.accuracies) = ([], [], [])
        var noise = PositionNoise()
        for phase in plan.phases {
            let way = way(phase, using: &generator)
            let every = way == nil ? density.restingPositionsEvery : density.positionsEvery
            let (begin, end) = (Int64(phase.begin * 60_000), Int64(phase.end * 60_000))
            let place = place(phase.place)
            for time in stride(from: begin, to: end, by: Int(every.milliseconds)) {
                let part = Double(time - begin) / Double(end - begin)
                let fix = noise.next(
                    way?.place(part) ?? place, seconds: Double(every.milliseconds) / 1000, using: &generator)
                series.offsets.append(time)
                series.latitudes?.append(fix.coordinate.latitude)
                series.longitudes?.append(fix.coordinate.longitude)
                series.accuracies?.append(fix.accuracy)
            }
        }
        return series
    }

    private func place(_ place: DayPlan.Place) -> Coordinate {
        switch place {
        case .home: body.home
        case .work: body.work ?? body.home
        }
    }

    private func way(_ phase: DayPlan.Phase, using generator: inout SeededGenerator) -> Way? {
        let minutes = phase.end - phase.begin
        switch phase.doing {
        case .asleep, .resting, .busy, .working: return nil
        case .walking: return Way(loopFrom: place(phase.place), length: 78 * minutes, using: &generator)
        case .running:
            return Way(
                loopFrom: place(phase.place), length: (135 + 90 * body.fitness) * minutes, using: &generator)
        case .driving:
            guard let work = body.work else { return nil }
            return phase.place == .home
                ? Way(from: body.home, to: work, using: &generator) : Way(from: work, to: body.home, using: &generator)
        }
    }
}

extension DayPlan.Doing {
    fileprivate var activity: Activity {
        switch self {
        case .asleep, .resting, .working: Activity(.still, .indoor)
        case .busy: Activity(.other, .indoor)
        case .walking: Activity(.walking, .outdoor)
        case .running: Activity(.running, .outdoor)
        case .driving: Activity(.driving)
        }
    }
}
