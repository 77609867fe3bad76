import LoadGenerator
import Primitives
import Reactor
import SuiteClient

/// `trackme-simulator live`: the first of the population go on living while the suite runs. Their watches and phones send
/// what they measure as they measure it, and some of them take part in runs, of which one is always under way and one
/// announced. The people of the sandbox answer whoever asks them.
///
/// It runs until it is stopped, its parent ends or the clock is set back. Nothing is lost by that: what was not sent yet is sent
/// by the next one for those whose log-ins are shown, and is missing of the others, as of a watch that was off.
struct Live {
    struct Options: Sendable {
        /// Who lives, of the population.
        var people = 300
        /// How many people it has: people differ with their number.
        var population: Int
    }

    let suite: Suite
    let options: Options

    func run() async throws {
        Ending.whenTold()
        let tokens = try AccessTokens(key: try suite.configuration.signingKey())
        let sandbox = try await Sandbox.awake(suite: suite, tokens: tokens)
        let answering = suite.loops.next().throwingTask { try await sandbox?.run() }
        defer { answering.cancel() }
        let population = Population(count: options.population, first: options.people)
        let people = try await LivePeople(suite: suite, tokens: tokens).all(of: population)
        Output.event("The devices of \(people.count) people send what they measure, every 30 s each.")
        let races = try await Races.organised(suite: suite, tokens: tokens, people: people)
        let loop = suite.loops.next()
        let running = loop.throwingTask { try await races?.run() }
        defer { running.cancel() }
        try await Rounds(suite: suite, people: people).run()
    }
}
