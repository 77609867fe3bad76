import Primitives
import SimulatedPeople
import SuiteClient

extension SimulatedPerson {
    /// The person with devices, through these days; `index` is the number in the population. What is measured on a day depends
    /// on the person and the day only.
    func wearer(_ index: Int, through days: ClosedRange<CalendarDate>) -> SimulatedWearer {
        var generator = SeededGenerator(seed: ~Population.seed, stream: index)
        var body = SimulatedBody(
            age: Population.referenceYear - birthDate.year, fitness: fitness, residence: residence, using: &generator)
        body.restingHeartRate = restingHeartRate
        return SimulatedWearer(
            seed: Population.seed, number: index, body: body,
            illnesses: Illness.yearly(seed: Population.seed, number: index, days))
    }
}
