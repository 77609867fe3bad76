import Glibc
import LoadGenerator
import Reactor
import SuiteClient

/// `trackme-simulator`: people who do not exist, and the main job of the suite as a script.
@main
enum Simulator {
    static let loopCount = 2

    static func main() async {
        let arguments: Arguments
        do throws(SuiteError) {
            arguments = try Arguments(CommandLine.arguments.dropFirst())
        } catch {
            Output.error("\(error)\n\n\(Arguments.usage)")
            exit(2)
        }
        do {
            try await EventLoopGroup.withLoops(loopCount) { loops in
                try await run(arguments, loops)
            }
        } catch {
            Output.error("trackme-simulator: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments, _ loops: EventLoopGroup) async throws {
        if case .ambulance(let options) = arguments.command { return try await Ambulance(options: options).run(loops) }
        let configuration = try SuiteConfiguration.read(directory: arguments.configurationDirectory)
        switch arguments.command {
        case .populate(let count):
            try await withSuite(configuration, loops) { try await Populate(suite: $0, count: count).run() }
        case .mainJob(let recordings):
            try await withSuite(configuration, loops) { try await MainJob(suite: $0, recordings: recordings).run() }
        case .load(let options): try await Load(configuration: configuration, options: options).run()
        case .history(let options): try await HistoryLoad(configuration: configuration, options: options).run()
        case .ambulance: break
        case .broker: try await SandboxBroker.run(configuration, loops: loops)
        case .live(let options):
            try await withSuite(configuration, loops) { try await Live(suite: $0, options: options).run() }
        case .sandbox:
            let tokens = try AccessTokens(key: try configuration.signingKey())
            try await withSuite(configuration, loops) { try await SandboxMaker(suite: $0, tokens: tokens).run() }
        }
    }

    private static func withSuite(
        _ configuration: SuiteConfiguration, _ loops: EventLoopGroup, _ body: (Suite) async throws -> Void
    ) async throws {
        let suite = try Suite(configuration, loops: loops)
        do {
            try await body(suite)
        } catch {
            await suite.close()
            throw error
        }
        await suite.close()
    }
}
