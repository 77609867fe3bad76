package import Primitives

extension EventLoop {
    /// A loop without a thread, whose work `run(_:until:)` does.
    package static func simulated() throws(IOError) -> EventLoop { try EventLoop() }

    /// Does all that is due until `end`, on the caller's thread, by the simulation's clock and chance: the same work and seed give the
    /// same steps. Time stands still while something runs.
    package func run(_ simulation: Simulation, until end: Deadline) {
        simulation.run { simulate(simulation, until: end) }
    }
}

extension Simulation {
    package var now: Deadline { Deadline(nanoseconds: nanoseconds) }
}
