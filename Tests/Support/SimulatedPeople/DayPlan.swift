import Domain
import Primitives
import SeededRandom

/// What a person does on one local day, from midnight to midnight. Minutes count from midnight.
struct DayPlan {
    enum Doing {
        case asleep, resting, busy, working, walking, running, driving
    }

    enum Place {
        case home, work
    }

    struct Phase {
        var doing: Doing
        var begin: Double
        var end: Double
        /// Where it takes place or, of a way, where that begins.
        var place: Place
    }

    /// Without a gap from the beginning of the day to its end.
    private(set) var phases: [Phase] = []
    let wakes: Double
    let goesToBed: Double
    /// When the watch lies on its charger or at home.
    let watchOff: [Range<Double>]
    /// When the watch touches nobody although it is worn.
    let withoutContact: [Range<Double>]
    let minutes: Double

    private var place = Place.home
    private var isIll: Bool

    init(_ body: SimulatedBody, _ day: CalendarDate, isIll: Bool, using generator: inout SeededGenerator) {
        minutes = Double(ItalianTime.milliseconds(of: day)) / 60_000
        let isWorkday = ItalianTime.isWorkday(day)
        wakes = min(660, max(270, body.wakes + 18 * generator.deviation() + (isWorkday ? 0 : 55)))
        goesToBed = min(minutes - 15, max(1260, body.wakes + 1440 - body.asleep + 20 * generator.deviation()))
        self.isIll = isIll
        let charging = goesToBed - generator.value(in: 60...150)
        var off = [charging..<charging + generator.value(in: 25...55)]
        if generator.index(below: 100) < 4 {
            // Forgotten at home.
            let begin = generator.value(in: 500...700)
            off.append(begin..<begin + generator.value(in: 120...400))
        }
        watchOff = off
        withoutContact = (0..<generator.index(below: 4)).map { _ in
            let begin = generator.value(in: 400...1300)
            return begin..<begin + generator.value(in: 1...5)
        }
        phases = [Phase(doing: .asleep, begin: 0, end: wakes, place: .home)]
        add(.resting, generator.value(in: 8...25))
        add(.busy, generator.value(in: 20...45))
        if isWorkday, !isIll, let work = body.work { addWork(body.home.distance(to: work), using: &generator) }
        addFreeTime(body, using: &generator)
        phases.append(Phase(doing: .asleep, begin: end, end: minutes, place: .home))
    }

    private var end: Double { phases[phases.count - 1].end }

    /// Nothing lasts beyond bedtime.
    private mutating func add(_ doing: Doing, _ length: Double) {
        let finish = min(goesToBed, end + length)
        guard finish > end else { return }
        phases.append(Phase(doing: doing, begin: end, end: finish, place: place))
    }

    /// There, two halves of a day with small walks, and back.
    private mutating func addWork(_ distance: Double, using generator: inout SeededGenerator) {
        // With the way to the car or the train, at 25 to 35 km/h.
        let way = max(6, distance / generator.value(in: 420...580))
        add(.walking, generator.value(in: 4...12))
        add(.driving, way)
        place = .work
        for half in 0...1 {
            let until = half == 0 ? generator.value(in: 740...780) : generator.value(in: 1010...1090)
            while end + 70 < until {
                add(.working, generator.value(in: 40...70))
                add(.walking, generator.value(in: 2...6))
            }
            add(.working, max(1, until - end))
            if half == 0 {
                add(.walking, generator.value(in: 5...12))
                add(.resting, generator.value(in: 25...40))
            }
        }
        add(.driving, way)
        place = .home
        add(.walking, generator.value(in: 4...12))
    }

    private mutating func addFreeTime(_ body: SimulatedBody, using generator: inout SeededGenerator) {
        let runs = !isIll && generator.fraction() < 0.45 * body.fitness
        let walks = !isIll && generator.fraction() < 0.45
        if walks { add(.walking, generator.value(in: 15...60)) }
        if runs { add(.running, 20 + 45 * body.fitness * generator.fraction()) }
        while end + 1 < goesToBed {
            add(.resting, generator.value(in: 25...90))
            add(isIll ? .resting : .busy, generator.value(in: 8...30))
            if !isIll, generator.index(below: 100) < 30 { add(.walking, generator.value(in: 3...12)) }
        }
        phases[phases.count - 1].end = goesToBed
    }
}
