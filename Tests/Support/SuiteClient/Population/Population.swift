import Domain
@_exported public import SeededRandom

/// The simulated population: the same people for the same number of them, on every run.
public struct Population: Sendable {
    public static let seed: UInt64 = 118
    /// Ages are counted from here, not from today, so that nobody's date of birth moves.
    public static let referenceYear = 2025
    /// Ages of adults in Italy.
    static let ageBands: [(weight: Int, value: ClosedRange<Int>)] = [
        (14, 18...29), (14, 30...39), (17, 40...49), (19, 50...59), (15, 60...69), (12, 70...79), (9, 80...95),
    ]
    /// Of the first ones, whose log-ins are shown. They take part in the simulated runs, and would travel across Italy otherwise.
    public static let inMilan = 12
    /// Also of few people enough live in Lombardy that a group request finds more than 1000 women there.
    static let lombardyMin = 2600

    public let people: [SimulatedPerson]

    /// Of the `count` people only the `first` ones, when that is said.
    public init(count: Int, first: Int? = nil) {
        var codes: Set<FiscalCode> = []
        var people: [SimulatedPerson] = []
        let made = min(count, first ?? count)
        people.reserveCapacity(made)
        for index in 0..<made {
            var generator = SeededGenerator(seed: Self.seed, stream: index)
            let person = SimulatedPerson(
                tag: "\(index + 1)", home: Self.home(of: index, among: count), using: &generator,
                isTaken: { codes.contains($0) })
            codes.insert(person.fiscalCode)
            people.append(person)
        }
        self.people = people
    }

    private static func home(of index: Int, among count: Int) -> SimulatedPerson.Home {
        let first = min(inMilan, inLombardy(of: count))
        guard index >= first else { return .milan }
        // Spread evenly over the others.
        let (place, others, lombards) = (index - first, count - first, inLombardy(of: count) - first)
        return (place + 1) * lombards / others > place * lombards / others ? .lombardy : .elsewhere
    }

    /// At least half.
    static func inLombardy(of count: Int) -> Int { max((count + 1) / 2, min(count * 9 / 10, lombardyMin)) }
}
