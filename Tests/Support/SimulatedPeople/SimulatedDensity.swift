/// How often devices measure.
public struct SimulatedDensity: Sendable, Equatable {
    public var vitalsEvery: Duration = .seconds(30)
    /// Readings come that much early or late at most.
    public var jitter: Duration = .milliseconds(200)
    /// The watch counts steps for so long at a time, in whole minutes.
    public var stepsEvery: Duration = .seconds(60)
    /// While the person moves …
    public var positionsEvery: Duration = .seconds(5)
    /// … and while not.
    public var restingPositionsEvery: Duration = .seconds(600)

    public init() {}

    /// For histories of very many people.
    static let sparse: SimulatedDensity = {
        var density = SimulatedDensity()
        density.vitalsEvery = .seconds(2 * 3600)
        density.stepsEvery = .seconds(4 * 3600)
        density.positionsEvery = .seconds(1800)
        density.restingPositionsEvery = .seconds(4 * 3600)
        return density
    }()
}
