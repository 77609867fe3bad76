import Primitives
import SuiteClient

/// Who takes part in a run.
enum RaceField {
    /// Runners of a run.
    static let size = 25
    /// Asked besides, for those who are enrolled elsewhere at that time.
    private static let spare = 15
    /// People whose log-ins are shown take part in every fourth run, a quarter of them in each: enough for “my runs” without
    /// filling their inboxes.
    private static let demoGroups = 4
    /// Nobody takes part in runs one after the other.
    private static let groups = 3
    private static let ages = 18...65
    private static let fitnessMin = 0.25

    /// Who is asked for a run, in this order, as positions in `people`: those whose log-ins are shown first.
    static func asked(for number: Int, among people: [(index: Int, person: SimulatedPerson)]) -> [Int] {
        let demo = people.indices.filter {
            let index = people[$0].index
            return index < DemoPeople.peopleCount && index % demoGroups == number % demoGroups
        }
        let sporty = people.indices.filter {
            let person = people[$0].person
            return people[$0].index >= DemoPeople.peopleCount && person.fitness >= fitnessMin
                && ages.contains(Population.referenceYear - person.birthDate.year)
        }
        let group = sporty.enumerated().filter { $0.offset % groups == number % groups }.map(\.element)
        var generator = SeededGenerator(seed: Population.seed, stream: number)
        return demo + group.shuffled(using: &generator).prefix(size + spare - demo.count)
    }

    /// What becomes of the runner who enrolled as number `place` of `count`.
    static func fate(of place: Int, among count: Int) -> RunnerPlan.Fate {
        // Never of the first ones: somebody looks at their runs.
        guard place >= DemoPeople.peopleCount / demoGroups else { return .runsThrough }
        return switch count - place {
        case 1: .givesUp
        case 2...4: .losesSignal
        default: .runsThrough
        }
    }
}
