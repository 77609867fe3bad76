import Glibc
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
                let configuration = try SuiteConfiguration.read(directory: arguments.configurationDirectory)
                let suite = try Suite(configuration, loops: loops)
                do {
                    try await run(arguments.command, suite)
                } catch {
                    await suite.close()
                    throw error
                }
                await suite.close()
            }
        } catch {
            Output.error("trackme-simulator: \(error)")
            exit(1)
        }
    }

    private static func run(_ command: Arguments.Command, _ suite: Suite) async throws {
        switch command {
        case .populate(let count): try await Populate(suite: suite, count: count).run()
        case .mainJob(let recordings): try await MainJob(suite: suite, recordings: recordings).run()
        }
    }
}
