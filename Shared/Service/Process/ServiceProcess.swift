import Glibc
import JSON
import Postgres
import Reactor
import Synchronization

/// A service's whole program: command line, configuration, start, signals, end.
public enum ServiceProcess {
    /// Does what the command line says and ends the process. Called from `main.swift`, before any other thread is
    /// started.
    public static func main<Definition: ServiceDefinition>(_: Definition.Type) -> Never {
        StopSignals.block()
        let code = run(Definition.self, Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }

    private static func run<Definition: ServiceDefinition>(_: Definition.Type, _ arguments: [String]) -> ExitCode {
        let command: Command
        do throws(Command.Mistake) {
            command = try Command(
                arguments, subcommands: Definition.allSubcommands.map(\.name) + Definition.tools.map(\.name))
        } catch {
            complain("\(Definition.program): \(error.sentence)\n\n\(Command.help(Definition.self))")
            return .usage
        }
        switch command.action {
        case .help: return say(Command.help(Definition.self))
        case .version:
            return say("\(Definition.program) \(ServiceVersion.current), schema \(Definition.migrations.count)\n")
        case .own(let name, let arguments):
            if let tool = Definition.tools.first(where: { $0.name == name }) {
                return run(Definition.self, tool, arguments)
            }
        default: break
        }
        guard let file = command.configurationFile else {
            complain("\(Definition.program): Name the configuration with --config FILE.\n")
            return .usage
        }
        do {
            return try run(Definition.self, command.action, file)
        } catch {
            return failed(Definition.self, error)
        }
    }

    /// Signals end it as they end any program.
    private static func run<Definition: ServiceDefinition>(
        _: Definition.Type, _ tool: Tool, _ arguments: [String]
    ) -> ExitCode {
        do {
            let sink = try DescriptorLogSink()
            let log = Log(service: Definition.name, level: .error, sink: sink)
            let loops = try EventLoopGroup(count: toolLoops)
            let supervision = Supervision(manager: ServiceManager(socketPath: nil), stopTime: .zero)
            return supervision.run(loops, log, sink) {
                let work = loops.loops[0].throwingTask { try await tool.run(loops, arguments) }
                let canceller = loops.loops[0].task {
                    if await supervision.stop.wait(after: 0) > 0 { work.cancel() }
                }
                defer { canceller.cancel() }
                do {
                    try await work.value
                    return .success
                } catch let mistake as UsageMistake {
                    // It may be several lines long.
                    complain("\(Definition.program): \(mistake)\n")
                    return .usage
                } catch { return failed(Definition.self, error, isSubcommand: true) }
            }
        } catch { return failed(Definition.self, error) }
    }

    private static func run<Definition: ServiceDefinition>(
        _: Definition.Type, _ action: Command.Action, _ file: String
    ) throws -> ExitCode {
        let configuration = try ServiceConfiguration<Definition.Settings>.load(file: file, for: Definition.name)
        // What a subcommand prints may go into a file.
        let sink = try DescriptorLogSink(descriptor: action == .serve ? STDOUT_FILENO : STDERR_FILENO)
        defer { sink.flush(within: flushTime) }
        let log = Log(service: Definition.name, level: configuration.log.level, sink: sink)
        let count = configuration.loops > 0 ? configuration.loops : sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let loops = try EventLoopGroup(count: max(1, min(count, 255)) + neighbourLoops)
        let supervision = Supervision(manager: .fromEnvironment(), stopTime: configuration.stopping.total)
        return supervision.run(loops, log, sink) {
            switch action {
            case .serve: return await serve(Definition.self, configuration, file, loops, log, supervision)
            default:
                do {
                    try await Operations.perform(Definition.self, action, configuration, loops: loops, log: log)
                    if case .check = action {
                        for remark in try Definition.remarks(configuration.settings) { _ = say("\(remark)\n") }
                        return say("The configuration is as it should be.\n")
                    }
                    return .success
                } catch {
                    return failed(Definition.self, error, isSubcommand: true)
                }
            }
        }
    }

    /// What other services ask for, above all the vital signs that they follow, waits in no queue with what people send.
    private static let neighbourLoops = 1
    private static let toolLoops = 2
    /// For the last lines of the log.
    private static let flushTime = Duration.seconds(1)

    // MARK: Serving

    private static func serve<Definition: ServiceDefinition>(
        _: Definition.Type, _ configuration: ServiceConfiguration<Definition.Settings>, _ file: String,
        _ loops: EventLoopGroup, _ log: Log, _ supervision: Supervision
    ) async -> ExitCode {
        let (manager, stop) = (supervision.manager, supervision.stop)
        guard let loop = EventLoop.current else { return .software }
        let starting = loop.throwingTask {
            // Whatever comes of the start, whoever waits for a signal goes on.
            try await RunningService.start(
                Definition.self, configuration, loops: loops, neighbourLoops: neighbourLoops, log: log)
        }
        let canceller = loop.task {
            if await stop.wait(after: 0) > 0 { starting.cancel() }
        }
        let service: RunningService
        do {
            service = try await starting.value
        } catch {
            canceller.cancel()
            return stop.value > 0 ? .success : failed(Definition.self, error)
        }
        canceller.cancel()
        supervision.watch(service.pulse)
        manager.ready()
        let reloader = loop.task {
            var seen: UInt64 = 0
            while !Task.isCancelled {
                seen = await supervision.reload.wait(after: seen)
                guard !Task.isCancelled else { return }
                manager.reloading()
                await reload(Definition.self, service, file, log)
                manager.ready()
            }
        }
        _ = await stop.wait(after: 0)
        manager.stopping()
        reloader.cancel()
        await reloader.value
        await service.stop()
        return .success
    }

    /// Reads the configuration again. One that is wrong leaves the old one in force.
    private static func reload<Definition: ServiceDefinition>(
        _: Definition.Type, _ service: RunningService, _ file: String, _ log: Log
    ) async {
        do throws(ConfigurationError) {
            let new = try ServiceConfiguration<Definition.Settings>.load(file: file, for: Definition.name)
            try Definition.check(new.settings)
            try await service.reload(new)
        } catch {
            log.error("configuration not read again: the old one holds", ["error": .string(error.description)])
        }
    }

    // MARK: Speaking

    private static func failed<Definition: ServiceDefinition>(
        _: Definition.Type, _ error: any Error, isSubcommand: Bool = false
    ) -> ExitCode {
        // libpq's texts have several lines.
        let words = "\(error)".split { $0 == "\n" || $0 == "\t" }.joined(separator: " ")
        complain("\(Definition.program): \(words)\n")
        let code = ExitCode(error)
        return isSubcommand && code == .software ? .failure : code
    }

    private static func say(_ text: String) -> ExitCode {
        Console.write(text, to: STDOUT_FILENO)
        return .success
    }

    private static func complain(_ text: String) { Console.write(text, to: STDERR_FILENO) }
}
