import Domain
import SeededRandom

/// The people of the sandbox for third parties: the same on every run. They were born after everybody of the population, so
/// that nobody has the fiscal code of one.
public enum SandboxPopulation {
    private static let birthYear = Population.referenceYear - 17

    public static func people(_ count: Int) -> [SimulatedPerson] {
        var codes: Set<FiscalCode> = []
        return (0..<count).map { index in
            var generator = SeededGenerator(seed: ~Population.seed, stream: index)
            let person = SimulatedPerson(
                tag: "sandbox\(index + 1)", home: .milan, birthYears: birthYear...birthYear, using: &generator,
                isTaken: { codes.contains($0) })
            codes.insert(person.fiscalCode)
            return person
        }
    }
}
